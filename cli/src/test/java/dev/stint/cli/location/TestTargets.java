package dev.stint.cli.location;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import java.util.List;

/** Makes targets of commands out of clusters of tests. */
public final class TestTargets {
  private TestTargets() {}

  /** Returns a cluster with a controller; its default namespace is {@code default}. */
  public static JobsTarget of(Cluster cluster, Timers timers) {
    return new JobsTarget(
        JobsTarget.TargetKind.CLUSTER, cluster, null, null, "default", "", timers, List.of());
  }

  /** Returns the API of a data directory on which no controller works. */
  static JobsTarget idle(Cluster cluster) {
    return new JobsTarget(
        JobsTarget.TargetKind.IDLE_DATA,
        cluster,
        null,
        null,
        "default",
        "",
        (_, _) -> () -> {},
        List.of());
  }
}
