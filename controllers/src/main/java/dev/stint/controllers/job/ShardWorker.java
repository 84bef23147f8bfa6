package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.ShardElection;
import dev.stint.reconcile.leader.Term;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the Job controller for the shards that this process holds. Each term of a shard has a fence
 * of its own, so nothing that was decided in one term is written in another, and a term begins once
 * the writes of the former one are answered. All other controllers run where shard 0 is held,
 * behind its fence.
 */
public final class ShardWorker implements ShardElection.Worker {
  private final Cluster api;
  private final RetryingCluster limits;
  private final Term configuration;
  private final JobController jobs;
  private final Function<Cluster, List<Controller>> others;
  private final Executor loop;
  private final Map<Integer, Work> works = new HashMap<>();

  /** The terms of shards that begin once the writes of former terms are answered. */
  private final Map<Integer, Term> awaited = new HashMap<>();

  /** The ends of the work of shards that are being given up; they arrive on any thread. */
  private final Map<Integer, CompletableFuture<@Nullable Void>> endings = new ConcurrentHashMap<>();

  private volatile Set<Integer> held = Set.of();

  /** The work of one term of a shard. */
  private record Work(int shard, FencedCluster guard, JobController jobs, List<Controller> others) {
    /** Refuses all further writes; completes when those in flight are answered. */
    CompletableFuture<@Nullable Void> end() {
      others.forEach(Controller::close);
      return CompletableFuture.allOf(guard.drain(), jobs.dropShard(shard));
    }
  }

  /**
   * Creates a worker that holds nothing.
   *
   * @param api takes the writes
   * @param limits the rate of requests of all shards together
   * @param configuration the term during which the number of shards holds
   * @param others starts the controllers that run beside shard 0
   * @param loop the event loop of the election, which calls this
   */
  public ShardWorker(
      Cluster api,
      RetryingCluster limits,
      Term configuration,
      JobController jobs,
      Function<Cluster, List<Controller>> others,
      Executor loop) {
    this.api = api;
    this.limits = limits;
    this.configuration = configuration;
    this.jobs = jobs;
    this.others = others;
    this.loop = loop;
  }

  /** Returns the shards that are held. May be called on any thread. */
  public Set<Integer> held() {
    return held;
  }

  @Override
  public void onTaken(int shard, Term term) {
    // A former term may have ended without that this process has noticed.
    CompletableFuture<@Nullable Void> former = onGivenUp(shard);
    if (former.isDone()) {
      begin(shard, term);
    } else {
      awaited.put(shard, term);
      var _ = former.whenCompleteAsync((_, _) -> beginAwaited(shard, term), loop);
    }
  }

  /** Begins a term, unless the shard was given up meanwhile. */
  private void beginAwaited(int shard, Term term) {
    if (awaited.remove(shard, term)) { // The fence asks before each write whether it still holds.
      begin(shard, term);
    }
  }

  private void begin(int shard, Term term) {
    FencedCluster guard = new FencedCluster(api, () -> configuration.holds() && term.holds());
    RetryingCluster writes = limits.over(guard);
    List<Controller> beside = shard == 0 ? others.apply(writes) : List.of();
    works.put(shard, new Work(shard, guard, jobs, beside));
    held = Set.copyOf(works.keySet());
    jobs.takeShard(shard, writes);
  }

  @Override
  public CompletableFuture<@Nullable Void> onGivenUp(int shard) {
    awaited.remove(shard);
    Work work = works.remove(shard);
    held = Set.copyOf(works.keySet());
    if (work != null) {
      // Writes of a former term, which was lost and won again, may still be under way, too.
      CompletableFuture<@Nullable Void> end = CompletableFuture.allOf(work.end(), ending(shard));
      endings.put(shard, end);
      var _ = end.whenComplete((_, _) -> endings.remove(shard, end));
    }
    return ending(shard);
  }

  private CompletableFuture<@Nullable Void> ending(int shard) {
    return endings.getOrDefault(shard, CompletableFuture.completedFuture(null));
  }

  @Override
  public void onLost(int shard) {
    onGivenUp(shard);
  }

  /** Returns the shards that are held and those that are being given up. */
  @Override
  public String toString() {
    return "holds " + works.keySet() + ", gives up " + endings.keySet();
  }
}
