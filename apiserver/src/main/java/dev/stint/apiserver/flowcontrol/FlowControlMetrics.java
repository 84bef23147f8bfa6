package dev.stint.apiserver.flowcontrol;

import java.time.Duration;
import java.util.Map;

/** Receives the metrics of API Priority and Fairness. */
public interface FlowControlMetrics {
  FlowControlMetrics NONE =
      new FlowControlMetrics() {
        @Override
        public Series series(String schema, String level) {
          return Series.NONE;
        }

        @Override
        public void onConfigured(Map<String, Integer> nominalSeats) {}
      };

  /** Returns the metrics of the requests of a flow schema. */
  Series series(String schema, String level);

  /**
   * Called when the priority levels change.
   *
   * @param nominalSeats the number of seats by priority level
   */
  void onConfigured(Map<String, Integer> nominalSeats);

  /** The metrics of the requests of a flow schema. */
  interface Series {
    Series NONE =
        new Series() {
          @Override
          public void onQueued() {}

          @Override
          public void onUnqueued() {}

          @Override
          public void onDispatched(Duration waited) {}

          @Override
          public void onRejected(String reason, Duration waited) {}

          @Override
          public void onEnded() {}
        };

    /** Called when a request begins to wait in a queue. */
    void onQueued();

    /** Called when it waits no longer. */
    void onUnqueued();

    /** Called when a request begins to be carried out. */
    void onDispatched(Duration waited);

    /** Called when a request is refused. */
    void onRejected(String reason, Duration waited);

    /** Called when a request that was carried out ends. */
    void onEnded();
  }
}
