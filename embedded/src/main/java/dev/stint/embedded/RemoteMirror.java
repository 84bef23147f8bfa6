package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.controllers.mirror.AssignmentOptions;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.controllers.mirror.WorkerMirrors;
import dev.stint.model.FeatureGates;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.Term;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A mirror between remote clusters: a manager and its workers. Leaders are elected on the manager.
 */
public final class RemoteMirror extends RemoteWork {
  /**
   * The options of a remote mirror.
   *
   * @param claim the {@code managedBy} of the Jobs to hand over
   * @param candidacy null if there is no leader election
   * @param assignment used if there are several workers
   * @param requests the rate and retries of requests to each cluster
   * @param metrics receives the mirror's metrics
   */
  public record Options(
      String claim,
      @Nullable LeaderCandidate candidacy,
      AssignmentOptions assignment,
      RetryingCluster.Options requests,
      MirrorMetrics metrics) {}

  private final SerialExecutor loop = new SerialExecutor("stint-mirror");
  private final Cluster manager;
  private final List<MirrorWorker> workers;
  private final Timers timers;
  private final Options options;

  /** The mirror of one term. */
  private record Working(List<FencedCluster> clusters, WorkerMirrors mirrors) implements Workers {
    @Override
    public boolean isReady() {
      return mirrors.isReady();
    }

    @Override
    public CompletableFuture<@Nullable Void> stop() {
      mirrors.close();
      return CompletableFuture.allOf(
          clusters.stream().map(FencedCluster::drain).toArray(CompletableFuture<?>[]::new));
    }
  }

  /**
   * Creates the mirror without starting it.
   *
   * @param manager the cluster that holds the Jobs; not closed with this
   * @param workers the clusters that run them, in the order of preference; not closed with this
   */
  public RemoteMirror(Cluster manager, List<MirrorWorker> workers, Timers timers, Options options) {
    super(manager, timers, options.candidacy());
    this.manager = manager;
    this.workers = List.copyOf(workers);
    this.timers = timers;
    this.options = options;
  }

  @Override
  Workers startWorkers(Term term) {
    List<FencedCluster> fences = new ArrayList<>();
    WorkerMirrors mirrors =
        new WorkerMirrors(
            limited(manager, term, fences),
            workers.stream()
                .map(worker -> worker.with(limited(worker.cluster(), term, fences)))
                .toList(),
            options.claim(),
            FeatureGates.DEFAULT,
            new EventLoop(
                loop, InstantSource.system(), steady, timers, RandomGenerators.unpredictable()),
            Metrics.NONE,
            options.metrics(),
            options.assignment());
    mirrors.start();
    return new Working(fences, mirrors);
  }

  private Cluster limited(Cluster cluster, Term term, List<FencedCluster> fences) {
    FencedCluster fenced = new FencedCluster(cluster, term::holds);
    fences.add(fenced);
    return retrying(fenced, options.requests());
  }

  @Override
  void closeLoops() {
    loop.close();
  }
}
