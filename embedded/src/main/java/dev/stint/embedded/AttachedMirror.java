package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.controllers.MirrorController;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.model.FeatureGates;
import java.time.InstantSource;

/**
 * A mirror between two clusters that are somebody else's, on a thread of its own. Started at once.
 */
public final class AttachedMirror implements AutoCloseable {
  private final Loop loop = new Loop("stint-mirror");
  private final MirrorController mirror;

  /**
   * @param manager where the Jobs are; not closed with this
   * @param worker where they run; not closed with this
   * @param claim the {@code managedBy} of the Jobs to hand over
   */
  public AttachedMirror(
      Cluster manager, Cluster worker, String claim, Timers timers, MirrorMetrics metrics) {
    mirror =
        new MirrorController(
            manager,
            worker,
            claim,
            FeatureGates.DEFAULT,
            loop,
            InstantSource.system(),
            timers,
            metrics);
    mirror.start();
  }

  /** Whether all Jobs of the manager are known. */
  public boolean ready() {
    return mirror.ready();
  }

  /** What is under way is not waited for: the next mirror goes on with it. */
  @Override
  public void close() {
    mirror.close();
    loop.close();
  }
}
