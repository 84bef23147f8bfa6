package dev.stint.reconcile.leader;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.leader.Election.Move;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A candidate for a Lease. It leads while it holds the Lease, renews it, and becomes a candidate
 * again after losing it. A candidate watches the Lease, so that it leads at once when a leader
 * steps down. A leader does not watch: its next renewal fails if somebody else changed the Lease.
 * Of those that share a Lease, one renews it for all: each reads it before, and writes only if no
 * other has written.
 *
 * <p>Everything happens on the event loop, callbacks included. {@link Election} decides, {@link
 * LeaseLock} reads and writes.
 */
public final class LeaderElector {
  private enum Phase {
    CANDIDATE,

    /** This process hands the lease back, to be a candidate again. */
    RESIGNING,
    CLOSED
  }

  private final LeaseLock lock;
  private final Election election;
  private final EventLoop loop;
  private final InstantSource wall;
  private final LeaderCallbacks callbacks;
  private final LeaseRole role;
  private final ElectionLog log;
  private final LeaseSource source;
  private final BooleanSupplier willing;
  private final CurrentTerm term;

  private Phase phase = Phase.CANDIDATE;

  /** The lease as it was last seen; null if it was never seen. */
  private @Nullable ObservedLease seen;

  /**
   * The time at which the last request was sent that has answered with the lease: it is no older
   * than that in the state in which it was seen.
   */
  private Term.@Nullable Moment confirmed;

  /** The request under way; complete once its answer has been handled. */
  private CompletableFuture<?> request = ClusterRequests.NOTHING;

  /** Ends the following of the lease; null while this process leads. */
  private @Nullable Runnable stopFollowing;

  private Runnable cancelRetry = () -> {};

  /**
   * Creates a candidate that has not started yet.
   *
   * @param loop its clock must never be set: it measures durations
   * @param wall the wall clock, for times that others read
   * @param willing true while this process wants to lead; a leader continues without. Once it is
   *     true again, {@link #reconsider} must be called
   */
  public LeaderElector(
      Cluster cluster,
      LeaderElectionConfig config,
      EventLoop loop,
      InstantSource wall,
      LeaderCallbacks callbacks,
      BooleanSupplier willing) {
    this(cluster, config, loop, wall, callbacks, new LeaseWatch(cluster, loop), willing);
  }

  /**
   * Creates a candidate that has not started yet.
   *
   * @param source follows the Lease
   * @param willing true while this process wants to lead; a leader continues without
   */
  LeaderElector(
      Cluster cluster,
      LeaderElectionConfig config,
      EventLoop loop,
      InstantSource wall,
      LeaderCallbacks callbacks,
      LeaseSource source,
      BooleanSupplier willing) {
    LeaseTimes times = config.times();
    this.lock = new LeaseLock(cluster, config.lease(), loop, times.requestTimeout());
    this.election = new Election(config.identity(), times);
    this.term = new CurrentTerm(loop, wall, times.renewDeadline(), this::onDeadline);
    this.loop = loop;
    this.wall = wall;
    this.callbacks = callbacks;
    this.role = config.role();
    this.log = new ElectionLog(config.lease(), role);
    this.source = source;
    this.willing = willing;
  }

  /** Starts to be a candidate. Returns at once. */
  public void start() {
    loop.execute(this::follow);
  }

  /**
   * Stops being a candidate, and steps down if this process leads: the lease is then free for
   * others at once. Must be called after all of the leader's work has ended.
   *
   * @return completes when the release is written, or has failed
   */
  public CompletableFuture<@Nullable Void> release() {
    return CompletableFuture.supplyAsync(
            () -> stop() ? giveBackAfterRequest() : ClusterRequests.NOTHING, loop)
        .thenCompose(done -> done);
  }

  /**
   * Steps down, so that others may lead at once, and stays a candidate. Must be called on the event
   * loop after all of the leader's work has ended; does not report the end of leadership.
   *
   * @return completes when the release is written, or has failed
   */
  CompletableFuture<@Nullable Void> resign() {
    if (phase == Phase.CANDIDATE) {
      phase = Phase.RESIGNING;
    }
    cancelRetry.run();
    term.end();
    return giveBackAfterRequest().whenCompleteAsync((_, _) -> onResigned(), loop);
  }

  private void onResigned() {
    if (phase == Phase.RESIGNING) {
      phase = Phase.CANDIDATE;
      follow();
    }
  }

  /** Stops and lets the lease expire, for use while the leader's work may still continue. */
  public void close() {
    loop.execute(this::stop);
  }

  /** Stops; true if the lease is held, or may be after a write in flight. */
  private boolean stop() {
    phase = Phase.CLOSED;
    cancelRetry.run();
    stopFollowing();
    return term.end() || isAsking();
  }

  /** Steps down after the claim or renewal in flight, which changes the lease. */
  private CompletableFuture<@Nullable Void> giveBackAfterRequest() {
    return request.handle((_, _) -> true).thenComposeAsync(_ -> giveBack(), loop);
  }

  private CompletableFuture<@Nullable Void> giveBack() {
    return releaseSeen()
        .exceptionallyComposeAsync(
            failure ->
                LeaseLock.isOutdated(seen, failure) && !role.isShared()
                    ? lock.read().thenComposeAsync(this::releaseFound, loop)
                    : CompletableFuture.failedFuture(failure),
            loop)
        .handle((released, failure) -> {
          if (failure != null || released) {
            log.onReleased(failure);
          }
          return null;
        });
  }

  /** Somebody has changed the lease, or this process has, and the answer was lost. */
  private CompletableFuture<Boolean> releaseFound(@Nullable KubeObject found) {
    observe(found);
    return releaseSeen();
  }

  /** Completes with false if the lease is not ours. */
  private CompletableFuture<Boolean> releaseSeen() {
    ObservedLease ours = seen;
    if (ours == null || ours.deleted() || !ours.record().holder().equals(election.identity())) {
      return CompletableFuture.completedFuture(false);
    }
    return lock.update(ours, election.released(ours.record(), wall.instant())).thenApply(_ -> true);
  }

  /** Reads the lease again and watches it from there; each report triggers the next action. */
  private void follow() {
    cancelRetry.run();
    stopFollowing();
    if (phase != Phase.CLOSED) {
      stopFollowing = source.follow(lock.lease(), this::onReport);
    }
  }

  private void stopFollowing() {
    if (stopFollowing != null) {
      stopFollowing.run();
      stopFollowing = null;
    }
  }

  private void onReport(@Nullable KubeObject found) {
    observe(found);
    act();
  }

  private void observe(@Nullable KubeObject found) {
    seen = ObservedLease.next(seen, found, loop.now());
  }

  /**
   * Looks at the lease again, as this process wants to lead now. Must be called on the event loop.
   */
  public void reconsider() {
    if (stopFollowing != null) {
      act();
    }
  }

  /** Carries out the next action; while a request is under way, its answer triggers that. */
  private void act() {
    if (phase != Phase.CANDIDATE || isAsking()) {
      return;
    }
    if (term.exists() && role.isShared()) {
      confirm();
    } else {
      decide();
    }
  }

  private boolean isAsking() {
    return !request.isDone();
  }

  /**
   * Reads the lease of a leader again. Another process may have renewed a shared one for all; any
   * may have been changed, also by a renewal of this process whose answer was lost.
   */
  private void confirm() {
    Term.Moment sent = term.moment();
    request =
        lock.read().whenCompleteAsync((found, failure) -> onConfirmed(sent, found, failure), loop);
  }

  private void onConfirmed(
      Term.Moment sent, @Nullable KubeObject found, @Nullable Throwable failure) {
    request = ClusterRequests.NOTHING;
    if (phase != Phase.CANDIDATE) {
      return;
    }
    if (failure != null) {
      retryLater(sent, failure);
      return;
    }
    ObservedLease before = seen;
    Term.Moment since = role.isShared() ? confirmed : null; // Else nobody renews it for this one.
    observe(found);
    confirmed = sent;
    if (since == null || !election.isRenewal(before, seen) || !tryHold(since)) {
      decide();
    }
  }

  /** Carries out the next action for the observed lease. */
  private void decide() {
    switch (election.next(seen, term.moment())) {
      case Move.TakeLease _ when !term.exists() && !willing.getAsBoolean() -> cancelRetry.run();
      case Move.TakeLease next -> claim(next.record());
      case Move.Wait next -> await(next.holder(), next.longest());
    }
  }

  private void await(String holder, Duration longest) {
    loseTerm(holder + " took the lease");
    if (stopFollowing == null) {
      follow();
      return;
    }
    if (willing.getAsBoolean()) {
      log.onWaiting(holder);
    }
    actAfter(longest);
  }

  private void claim(LeaseRecord record) {
    Term.Moment sent = term.moment();
    ObservedLease before = seen;
    request =
        lock.claim(before, record)
            .whenCompleteAsync(
                (written, failure) -> onClaimed(sent, before, written, failure), loop);
  }

  private void onClaimed(
      Term.Moment sent,
      @Nullable ObservedLease before,
      @Nullable KubeObject written,
      @Nullable Throwable failure) {
    request = ClusterRequests.NOTHING;
    if (written != null) {
      observe(written);
    }
    if (phase != Phase.CANDIDATE) {
      return;
    }
    if (failure != null) {
      onRefused(sent, before, failure);
      return;
    }
    log.onWritten();
    confirmed = sent;
    if (!tryHold(sent)) {
      act();
    }
  }

  /** Reads the lease again if another process changed it, or retries later. */
  private void onRefused(Term.Moment sent, @Nullable ObservedLease before, Throwable failure) {
    if (!LeaseLock.isOutdated(before, failure)) {
      retryLater(sent, failure);
    } else if (term.exists()) {
      confirm(); // With a limit of time, unlike the reads of those who follow.
    } else {
      follow();
    }
  }

  /**
   * Retries after a failure. A leader's next try is due one period after the last one was sent, or
   * at once if it took longer to fail.
   */
  private void retryLater(Term.Moment sent, Throwable failure) {
    Duration delay = election.times().retryDelay(term.exists(), loop.random());
    log.onFailure(term.exists(), failure, delay);
    Duration left = delay.minus(Duration.between(sent.steady(), loop.now()));
    actAfter(!term.exists() ? delay : left.isNegative() ? Duration.ZERO : left);
  }

  private void actAfter(Duration delay) {
    cancelRetry.run();
    cancelRetry = loop.after(delay, this::act);
  }

  /**
   * Begins or continues a term.
   *
   * @param sent a time before the lease was written
   * @return false if that is too long ago
   */
  private boolean tryHold(Term.Moment sent) {
    boolean leads = term.exists();
    Term held = term.hold(sent);
    if (held == null) {
      return false;
    }
    actAfter(election.times().retryPeriod());
    stopFollowing();
    if (!leads) {
      log.onAcquired(election.identity());
      callbacks.onStartedLeading(held);
    }
    return true;
  }

  private void onDeadline() {
    loseTerm("the lease was not renewed in time");
    follow();
  }

  private void loseTerm(String reason) {
    if (term.end()) {
      log.onLost(reason);
      callbacks.onStoppedLeading(reason);
    }
  }
}
