package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.LeaderElector;
import dev.stint.reconcile.leader.Term;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * Work on clusters that are somebody else's: they are asked politely, and where several processes
 * do this, only the elected one works.
 *
 * <p>Each term has workers of its own, whose writes stop with it. Between the workers and an API
 * stand, from above: the rate and the retries ({@link RetryingCluster}), then the guard that sends
 * nothing once the term is over ({@link FencedCluster}), so that it is asked for each try.
 */
public abstract sealed class RemoteWork implements AutoCloseable
    permits RemoteControllers, RemoteMirror {
  private final SerialExecutor electionLoop = new SerialExecutor("stint-election");
  private final InstantSource steady = new SteadyClock();
  private final Timers timers;
  private final @Nullable LeaderElector elector;
  private volatile @Nullable Working working;

  /**
   * Who has been told to stop leads no more, even if it is elected yet. For the election's loop.
   */
  private boolean stopping;

  /** What works during one term. */
  interface Workers {
    /** Whether they know all that they need. May be asked on any thread. */
    boolean ready();

    /** Stops them; completes when nothing is under way any more. */
    CompletableFuture<@Nullable Void> end();
  }

  /** What works, and for how long it may. */
  private record Working(Term term, Workers workers) {}

  /**
   * Not started yet.
   *
   * @param leases the API that has the Lease; not closed with this
   * @param candidacy null where there is nobody else to be elected
   */
  RemoteWork(Cluster leases, Timers timers, @Nullable LeaderCandidate candidacy) {
    this.timers = timers;
    this.elector =
        candidacy == null
            ? null
            : new LeaderElector(
                leases,
                candidacy.lease(),
                candidacy.identity(),
                candidacy.times(),
                electionLoop,
                InstantSource.system(),
                steady,
                timers,
                random(),
                new Leadership());
  }

  /** Makes and starts the workers of one term. */
  abstract Workers begin(Term term);

  /** Ends what workers of all terms share, once they have ended. */
  abstract void closeLoops();

  static RandomGenerator random() {
    return RandomGeneratorFactory.of("L128X256MixRandom")
        .create(new SecureRandom().generateSeed(32));
  }

  /** How workers ask an API that is behind a guard. */
  RetryingCluster patient(FencedCluster guard, RetryingCluster.Options requests) {
    return new RetryingCluster(guard, requests, steady, timers, random());
  }

  /** Starts to work, or to be a candidate for it. Returns at once. */
  public void start() {
    if (elector == null) {
      electionLoop.execute(() -> work(new Term()));
    } else {
      elector.start();
    }
  }

  /** Whether the work is done here now. */
  public boolean leading() {
    Working now = working;
    return now != null && now.term().holds();
  }

  /** Whether all is as it should be: false where a term is over and nobody noticed. */
  public boolean healthy() {
    Working now = working;
    return now == null || now.term().holds();
  }

  /** Whether it works and knows all that it needs, or waits to be elected. */
  public boolean ready() {
    Working now = working;
    return now == null ? elector != null : now.term().holds() && now.workers().ready();
  }

  /**
   * Stops working and lets another begin at once: what is under way is answered first. Where that
   * takes longer than {@code patience} the lease is left to run out, as something may still happen
   * in our name.
   */
  public CompletableFuture<@Nullable Void> stop(Duration patience) {
    return CompletableFuture.supplyAsync(this::endForGood, electionLoop)
        .thenCompose(done -> done)
        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .handle((_, late) -> late == null)
        .thenCompose(this::handOver);
  }

  private CompletableFuture<@Nullable Void> handOver(boolean idle) {
    if (elector == null) {
      return CompletableFuture.completedFuture(null);
    }
    if (idle) {
      return elector.release();
    }
    elector.close();
    return CompletableFuture.completedFuture(null);
  }

  private void work(Term term) {
    if (!stopping) {
      working = new Working(term, begin(term));
    }
  }

  private CompletableFuture<@Nullable Void> endForGood() {
    stopping = true;
    return endWork();
  }

  private CompletableFuture<@Nullable Void> endWork() {
    Working ending = working;
    working = null;
    return ending == null ? CompletableFuture.completedFuture(null) : ending.workers().end();
  }

  private final class Leadership implements LeaderElector.Leadership {
    @Override
    public void begin(Term term) {
      work(term);
    }

    @Override
    public void lost(String why) {
      endWork();
    }
  }

  /** Stops everything at once; the lease, where we have it, runs out by itself. */
  @Override
  public final void close() {
    if (elector != null) {
      elector.close();
    }
    electionLoop.execute(this::endForGood);
    electionLoop.close();
    closeLoops();
  }
}
