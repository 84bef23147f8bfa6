package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.SteadyClock;
import dev.stint.cluster.Timers;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.LeaderCallbacks;
import dev.stint.reconcile.leader.LeaderElector;
import dev.stint.reconcile.leader.Term;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Work on remote clusters, with rate-limited requests and, if several processes share it, leader
 * election.
 *
 * <p>Each term has its own workers, whose writes stop with it. Between the workers and an API are
 * two layers, from the top: the rate limit and the retries ({@link RetryingCluster}), then the
 * fence that sends nothing once the term is over ({@link FencedCluster}), so that the fence is
 * checked for each try.
 */
public abstract sealed class RemoteWork implements AutoCloseable
    permits RemoteControllers, RemoteMirror {
  private final SerialExecutor electionLoop = new SerialExecutor("stint-election");

  /** Measures terms, rates and silences. */
  final InstantSource steady = new SteadyClock();

  private final Timers timers;
  private final @Nullable LeaderElector elector;

  /** True if other processes hold the same Lease, so that it must not be released. */
  private final boolean shared;

  private volatile @Nullable Working working;

  /** The term that begins once the writes of former ones are answered; null if none waits. */
  private volatile @Nullable Term awaited;

  /**
   * True once {@link #stop} was called: then it must not lead again, even if it is elected. Used on
   * the election's loop only.
   */
  private boolean stopping;

  /** Completes when nothing of the terms that are over is under way any more. */
  private volatile CompletableFuture<@Nullable Void> ended =
      CompletableFuture.completedFuture(null);

  /** The workers of one term. */
  interface Workers {
    /** True if they have read everything that they need. May be called on any thread. */
    boolean isReady();

    /** Stops them; completes when nothing is under way any more. */
    CompletableFuture<@Nullable Void> stop();
  }

  /** The current workers, and their term. */
  private record Working(Term term, Workers workers) {}

  /**
   * Creates the work without starting it.
   *
   * @param leases the API that has the Lease; not closed with this
   * @param candidacy null if there is no leader election
   */
  RemoteWork(Cluster leases, Timers timers, @Nullable LeaderCandidate candidacy) {
    this.timers = timers;
    this.shared = candidacy != null && candidacy.sharding() != null;
    this.elector =
        candidacy == null
            ? null
            : new LeaderElector(
                leases,
                candidacy.config(),
                electionLoop(),
                InstantSource.system(),
                new Leadership(),
                () -> ended.isDone());
  }

  /** Creates and starts the workers of one term. */
  abstract Workers startWorkers(Term term);

  /** Closes the loops that the workers of all terms share, once they have ended. */
  abstract void closeLoops();

  /** Returns the event loop of the election. */
  final EventLoop electionLoop() {
    return new EventLoop(electionLoop, steady, timers, RandomGenerators.unpredictable());
  }

  /** Returns a rate-limited and retrying cluster for workers, over a fenced one. */
  RetryingCluster retrying(FencedCluster guard, RetryingCluster.Options requests) {
    return new RetryingCluster(guard, requests, steady, timers, RandomGenerators.unpredictable());
  }

  /** Starts to work, or to compete for leadership. Returns at once. */
  public void start() {
    if (elector == null) {
      electionLoop.execute(() -> work(new Term()));
    } else {
      elector.start();
    }
  }

  /** True if this process does the work now. */
  public boolean isLeading() {
    Working now = working;
    return now != null && now.term().holds();
  }

  /** False if the current term is over although its workers were not ended. */
  public boolean isHealthy() {
    Working now = working;
    return now == null || now.term().holds();
  }

  /**
   * True if it works and has read everything that it needs, or waits to be elected and has ended
   * what it did before.
   */
  public boolean isReady() {
    Working now = working;
    return now == null
        ? elector != null && awaited == null && ended.isDone()
        : now.term().holds() && now.workers().isReady();
  }

  /**
   * Stops working and releases the lease at once, after the requests under way are answered. If
   * that takes longer than {@code patience} the lease is left to expire, as requests in our name
   * may still take effect.
   */
  public CompletableFuture<@Nullable Void> stop(Duration patience) {
    return CompletableFuture.supplyAsync(this::stopForGood, electionLoop)
        .thenCompose(done -> done)
        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .handle((_, late) -> late == null)
        .thenCompose(this::handOver);
  }

  private CompletableFuture<@Nullable Void> handOver(boolean idle) {
    if (elector == null) {
      return CompletableFuture.completedFuture(null);
    }
    if (idle && !shared) {
      return elector.release();
    }
    elector.close();
    return CompletableFuture.completedFuture(null);
  }

  /** Works in a term. What a write of a former one does is known once it is answered. */
  private void work(Term term) {
    if (stopping) {
      return;
    }
    awaited = term;
    var _ = ended.whenCompleteAsync((_, _) -> begin(term), electionLoop);
  }

  private void begin(Term term) {
    if (awaited == term) { // The fence asks before each write whether it still holds.
      awaited = null;
      working = new Working(term, startWorkers(term));
    }
  }

  private CompletableFuture<@Nullable Void> stopForGood() {
    stopping = true;
    return stopWork();
  }

  /** Ends the work, if there is any; completes when that of all terms has ended. */
  private CompletableFuture<@Nullable Void> stopWork() {
    Working ending = working;
    working = null;
    awaited = null;
    if (ending != null) {
      ended = CompletableFuture.allOf(ended, ending.workers().stop());
    }
    return ended;
  }

  private final class Leadership implements LeaderCallbacks {
    @Override
    public void onStartedLeading(Term term) {
      work(term);
    }

    @Override
    public void onStoppedLeading(String reason) {
      var _ = stopWork().whenCompleteAsync((_, _) -> reconsider(), electionLoop);
    }

    /** A process that could not work yet has left the Lease to others, who may have been absent. */
    private void reconsider() {
      if (elector != null) {
        elector.reconsider();
      }
    }
  }

  /** Stops everything at once; a lease that we hold is left to expire. */
  @Override
  public final void close() {
    if (elector != null) {
      elector.close();
    }
    electionLoop.execute(this::stopForGood);
    electionLoop.close();
    closeLoops();
  }
}
