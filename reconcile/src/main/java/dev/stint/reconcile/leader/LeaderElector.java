package dev.stint.reconcile.leader;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.leader.Election.Move;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A candidate for a Lease. It leads while it holds the Lease, renews it, and becomes a candidate
 * again after losing it. A candidate watches the Lease, so that it leads at once when a leader
 * steps down.
 *
 * <p>Everything happens on the executor, callbacks included.
 */
public final class LeaderElector {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

  /** The jitter of candidates' retries as a factor of the period, as in Kubernetes. */
  private static final double JITTER = 1.2;

  /** Receives the beginning and the end of leadership. */
  public interface Leadership {
    /** Reports that this process leads from now on, for as long as the term holds. */
    void begin(Term term);

    /**
     * Reports that this process no longer leads; the term has ended already.
     *
     * @param why for the log
     */
    void lost(String why);
  }

  private final Cluster cluster;
  private final ObjectRef lease;
  private final Election election;
  private final Executor loop;
  private final InstantSource wall;
  private final InstantSource steady;
  private final Timers timers;
  private final RandomGenerator random;
  private final Leadership leadership;

  /** The lease as it was last seen; null if there was none. */
  private @Nullable KubeObject seen;

  /** The time at which this process first saw the lease in that state. */
  private Instant seenSince = Instant.MIN;

  /**
   * True if the lease was deleted since: its holder may still believe that it leads, until its time
   * is over.
   */
  private boolean deleted;

  private @Nullable Term term;
  private @Nullable Watch watch;
  private boolean asking;

  /** The last write; complete once its answer has been handled. */
  private CompletableFuture<?> claim = CompletableFuture.completedFuture(null);

  private boolean closed;
  private Runnable cancelLook = () -> {};
  private Runnable cancelDeadline = () -> {};
  private @Nullable String told;

  /**
   * Creates a candidate that has not started yet.
   *
   * @param lease the Lease; created if there is none
   * @param identity the identity of this process; no two processes have the same
   * @param wall the wall clock, for times that others read
   * @param steady a clock that is never set, for durations
   */
  public LeaderElector(
      Cluster cluster,
      ObjectRef lease,
      String identity,
      LeaseTimes times,
      Executor loop,
      InstantSource wall,
      InstantSource steady,
      Timers timers,
      RandomGenerator random,
      Leadership leadership) {
    this.cluster = cluster;
    this.lease = lease;
    this.election = new Election(identity, times);
    this.loop = loop;
    this.wall = wall;
    this.steady = steady;
    this.timers = timers;
    this.random = random;
    this.leadership = leadership;
  }

  /** Starts to be a candidate. Returns at once. */
  public void start() {
    loop.execute(this::look);
  }

  /**
   * Stops being a candidate, and steps down if this process leads: the lease is then free for
   * others at once. Must be called after all of the leader's work has ended.
   *
   * @return completes when the release is written, or has failed
   */
  public CompletableFuture<@Nullable Void> release() {
    return CompletableFuture.supplyAsync(this::stepDown, loop).thenCompose(done -> done);
  }

  /** Stops and lets the lease expire, for use while the leader's work may still go on. */
  public void close() {
    loop.execute(this::stop);
  }

  /** Stops; true if the lease is held, or may be after a write in flight. */
  private boolean stop() {
    boolean ours = term != null || !claim.isDone();
    closed = true;
    cancelLook.run();
    cancelDeadline.run();
    unwatch();
    if (term != null) {
      term.end();
      term = null;
    }
    return ours;
  }

  /** Steps down after the claim or renewal in flight, which changes the lease. */
  private CompletableFuture<@Nullable Void> stepDown() {
    return stop()
        ? claim.handle((_, _) -> true).thenComposeAsync(_ -> giveBack(), loop)
        : CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<@Nullable Void> giveBack() {
    KubeObject ours = seen;
    LeaseRecord record = ours == null ? null : LeaseRecord.read(ours.spec());
    if (ours == null || record == null || !record.holder().equals(election.identity())) {
      return CompletableFuture.completedFuture(null);
    }
    return cluster
        .update(with(ours, election.released(record, wall.instant())))
        .<@Nullable Void>handle((_, failure) -> {
          if (failure == null) {
            LOG.info("the lease {} is free for others", lease);
          } else {
            LOG.warn("the lease {} runs out by itself: {}", lease, message(failure));
          }
          return null;
        });
  }

  private void look() {
    cancelLook.run();
    if (closed || asking) {
      return;
    }
    asking = true;
    cluster.get(lease).whenCompleteAsync(this::looked, loop);
  }

  private void looked(@Nullable KubeObject found, @Nullable Throwable failure) {
    asking = false;
    if (closed) {
      return;
    }
    if (found != null) {
      saw(found);
      act();
    } else if (failure != null && is(failure, Reason.NOT_FOUND)) {
      deleted = true;
      act();
    } else {
      troubled("cannot read", failure);
      again();
    }
  }

  private void saw(KubeObject now) {
    deleted = false;
    if (seen == null || !seen.resourceVersion().equals(now.resourceVersion())) {
      seen = now;
      seenSince = steady.instant();
    }
  }

  /** Carries out the next action for the observed lease. */
  private void act() {
    if (asking) {
      return; // The answer will trigger the next action.
    }
    LeaseRecord record = seen == null ? null : LeaseRecord.read(seen.spec());
    Duration since = seen == null ? Duration.ZERO : Duration.between(seenSince, steady.instant());
    switch (election.next(record, since, wall.instant())) {
      case Move.Claim claim -> claim(claim.record());
      case Move.Wait wait -> await(record, wait.longest());
    }
  }

  private void await(@Nullable LeaseRecord others, Duration longest) {
    String holder = others == null ? "" : others.holder();
    if (term != null) {
      lose("the lease is held by " + holder);
    }
    if (!holder.equals(told)) {
      told = holder;
      LOG.info("{} leads; waiting for the lease {}", holder, lease);
    }
    watchFrom();
    cancelLook.run();
    cancelLook = timers.after(longest, () -> loop.execute(this::look));
  }

  private void claim(LeaseRecord record) {
    asking = true;
    Term.Moment sent = new Term.Moment(steady.instant(), wall.instant());
    KubeObject before = seen;
    CompletableFuture<KubeObject> written =
        before == null || deleted
            ? cluster.create(fresh(record))
            : cluster.update(with(before, record));
    claim = written.whenCompleteAsync((now, failure) -> claimed(sent, now, failure), loop);
  }

  private void claimed(Term.Moment sent, @Nullable KubeObject now, @Nullable Throwable failure) {
    asking = false;
    if (now != null) {
      saw(now);
    }
    if (closed) {
      return;
    }
    if (now == null) {
      refused(failure);
      return;
    }
    told = null;
    Duration left =
        election.times().renewDeadline().minus(Duration.between(sent.steady(), steady.instant()));
    if (left.isNegative() || left.isZero()) {
      act(); // The answer came after the renew deadline.
      return;
    }
    hold(sent, left);
    cancelLook.run();
    cancelLook = timers.after(election.times().retryPeriod(), () -> loop.execute(this::act));
  }

  /**
   * Handles a failed write. After a lost race for the lease, or if another process changed it, the
   * elector reads it again.
   */
  private void refused(@Nullable Throwable failure) {
    if (failure != null
        && (is(failure, Reason.CONFLICT)
            || is(failure, Reason.ALREADY_EXISTS)
            || is(failure, Reason.NOT_FOUND))) {
      look();
    } else {
      troubled(term == null ? "cannot acquire" : "cannot renew", failure);
      again();
    }
  }

  private void hold(Term.Moment sent, Duration left) {
    Duration deadline = election.times().renewDeadline();
    Term current = term;
    if (current != null) {
      current.renewed(sent, deadline);
    } else {
      current = Term.of(steady, wall, sent, deadline);
    }
    cancelDeadline.run();
    cancelDeadline = timers.after(left, () -> loop.execute(this::expire));
    if (term == null) {
      term = current;
      unwatch();
      LOG.info("leading as {}, with the lease {}", election.identity(), lease);
      leadership.begin(current);
    }
  }

  private void expire() {
    if (term != null) {
      lose("the lease could not be renewed in time");
      again();
    }
  }

  private void lose(String why) {
    Term lost = term;
    term = null;
    cancelDeadline.run();
    if (lost != null) {
      lost.end();
      LOG.warn("leading no more: {}", why);
      leadership.lost(why);
    }
  }

  private void again() {
    Duration delay = election.times().retryPeriod();
    cancelLook.run();
    cancelLook =
        timers.after(term == null ? delay.plus(jitter()) : delay, () -> loop.execute(this::look));
  }

  private Duration jitter() {
    double part = random.nextDouble() * JITTER;
    return Duration.ofNanos((long) (election.times().retryPeriod().toNanos() * part));
  }

  private void watchFrom() {
    KubeObject from = seen;
    if (watch == null && from != null) {
      watch = cluster.watch(lease.kind(), lease.namespace(), from.resourceVersion(), new Handler());
    }
  }

  private void unwatch() {
    Watch open = watch;
    watch = null;
    if (open != null) {
      open.close();
    }
  }

  private void heard(WatchEvent event) {
    if (closed || term != null || !event.object().name().equals(lease.name())) {
      return;
    }
    if (event.type() == WatchEvent.Type.DELETED) {
      look();
    } else {
      saw(event.object());
      act();
    }
  }

  private void troubled(String what, @Nullable Throwable failure) {
    String why = what + " the lease " + lease + ": " + message(failure);
    if (!why.equals(told)) {
      told = why;
      LOG.warn("{}; trying again", why);
    }
  }

  private KubeObject fresh(LeaseRecord record) {
    ObjectNode tree = Json.object();
    tree.put("apiVersion", lease.kind().apiVersion()).put("kind", lease.kind().kind());
    tree.putObject("metadata").put("name", lease.name()).put("namespace", lease.namespace());
    tree.set("spec", record.write(null));
    return KubeObject.of(tree);
  }

  private static KubeObject with(KubeObject before, LeaseRecord record) {
    ObjectNode tree = before.copy();
    tree.set("spec", record.write(before.spec()));
    return KubeObject.of(tree);
  }

  private static boolean is(Throwable failure, Reason reason) {
    return ClusterException.causeOf(failure) instanceof ClusterException refused
        && refused.reason() == reason;
  }

  private static String message(@Nullable Throwable failure) {
    return failure == null
        ? "no answer"
        : String.valueOf(ClusterException.causeOf(failure).getMessage());
  }

  private final class Handler implements WatchHandler {
    @Override
    public void event(WatchEvent event) {
      loop.execute(() -> heard(event));
    }

    /** Retries after a while, which opens another watch. */
    @Override
    public void closed(@Nullable ClusterException cause) {
      loop.execute(() -> {
        watch = null;
        if (!closed && term == null) {
          again();
        }
      });
    }
  }
}
