package dev.stint.console.simulation;

import dev.stint.model.Json;
import tools.jackson.databind.node.ObjectNode;

/** How a Job would end if it ran again. */
public sealed interface Prediction {
  /**
   * There is none.
   *
   * @param why one sentence for people, without a full stop
   */
  record None(String why) implements Prediction {}

  /**
   * The result of several simulated runs.
   *
   * @param complete the share of the runs that were Complete, 0 to 1
   * @param like describes the attempts that the simulation was calibrated with, in one line
   * @param warning why the result may be far off; empty if nothing speaks for it
   * @param picture the distribution of the wall times, as SVG
   */
  record Runs(
      int runs, double complete, WallTime wallTime, String like, String warning, String picture)
      implements Prediction {
    ObjectNode json() {
      ObjectNode tree =
          Json.object()
              .put("runs", runs)
              .put("complete", complete)
              .put("like", like)
              .put("warning", warning);
      tree.putObject("seconds")
          .put("p50", wallTime.p50() / 1000.0)
          .put("p90", wallTime.p90() / 1000.0)
          .put("p99", wallTime.p99() / 1000.0);
      return tree;
    }
  }

  /** Percentiles of the wall time, in milliseconds. */
  record WallTime(long p50, long p90, long p99) {}
}
