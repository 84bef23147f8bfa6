package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.controllers.mirror.MirrorController;
import dev.stint.model.FeatureGates;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.Term;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A mirror between two remote clusters. Leaders are elected on the manager. */
public final class RemoteMirror extends RemoteWork {
  /**
   * The options of a remote mirror.
   *
   * @param claim the {@code managedBy} of the Jobs to hand over
   * @param candidacy null if there is no leader election
   * @param requests the rate and retries of requests to either cluster
   * @param metrics receives the mirror's metrics
   */
  public record Options(
      String claim,
      @Nullable LeaderCandidate candidacy,
      RetryingCluster.Options requests,
      MirrorMetrics metrics) {}

  private final SerialExecutor loop = new SerialExecutor("stint-mirror");
  private final Cluster manager;
  private final Cluster worker;
  private final Timers timers;
  private final Options options;

  /** The mirror of one term. */
  private record Working(FencedCluster manager, FencedCluster worker, MirrorController mirror)
      implements Workers {
    @Override
    public boolean isReady() {
      return mirror.isReady();
    }

    @Override
    public CompletableFuture<@Nullable Void> stop() {
      mirror.close();
      return CompletableFuture.allOf(manager.drain(), worker.drain());
    }
  }

  /**
   * Creates the mirror without starting it.
   *
   * @param manager the cluster that holds the Jobs; not closed with this
   * @param worker the cluster that runs them; not closed with this
   */
  public RemoteMirror(Cluster manager, Cluster worker, Timers timers, Options options) {
    super(manager, timers, options.candidacy());
    this.manager = manager;
    this.worker = worker;
    this.timers = timers;
    this.options = options;
  }

  @Override
  Workers startWorkers(Term term) {
    FencedCluster toManager = new FencedCluster(manager, term::holds);
    FencedCluster toWorker = new FencedCluster(worker, term::holds);
    MirrorController mirror =
        new MirrorController(
            retrying(toManager, options.requests()),
            retrying(toWorker, options.requests()),
            options.claim(),
            FeatureGates.DEFAULT,
            new EventLoop(loop, InstantSource.system(), timers, RandomGenerators.unpredictable()),
            Metrics.NONE,
            options.metrics());
    mirror.start();
    return new Working(toManager, toWorker, mirror);
  }

  @Override
  void closeLoops() {
    loop.close();
  }
}
