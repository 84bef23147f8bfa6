package dev.stint.reconcile.leader;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.WatchEvent;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Reflector;
import dev.stint.reconcile.leader.Election.Move;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A candidate for a Lease. It leads while it holds the Lease, renews it, and becomes a candidate
 * again after losing it. A candidate watches the Lease, so that it leads at once when a leader
 * steps down. A leader does not watch: its next renewal fails if somebody else changed the Lease.
 * Of those that share a Lease, one renews it for all: each reads it before, and writes only if no
 * other has written.
 *
 * <p>Everything happens on the event loop, callbacks included.
 */
public final class LeaderElector {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

  /** The jitter of candidates' retries as a factor of the period, as in Kubernetes. */
  private static final double JITTER = 1.2;

  /** Receives the beginning and the end of leadership. */
  public interface Leadership {
    /** Reports that this process leads from now on, for as long as the term holds. */
    void onStartedLeading(Term term);

    /**
     * Reports that this process no longer leads; the term has ended already.
     *
     * @param reason for the log
     */
    void onStoppedLeading(String reason);
  }

  private final Cluster cluster;
  private final ObjectRef lease;
  private final Election election;
  private final EventLoop loop;
  private final InstantSource wall;
  private final Leadership leadership;
  private final LeaseRole role;
  private final LeaseSource source;
  private final BooleanSupplier willing;

  /** Ends the following of the lease; null while this process leads. */
  private @Nullable Runnable stopFollowing;

  /** The lease as it was last seen; null if there was none. */
  private @Nullable KubeObject seen;

  /** The time at which this process first saw the lease in that state. */
  private Instant seenSince = Instant.MIN;

  /**
   * The time at which the last request was sent that has answered with the lease: it is no older
   * than that in the state in which it was seen.
   */
  private Term.@Nullable Moment confirmed;

  /**
   * True if the lease was deleted since: its holder may still believe that it leads, until its time
   * is over.
   */
  private boolean deleted;

  private @Nullable Term term;
  private boolean claiming;

  /** The last write; complete once its answer has been handled. */
  private CompletableFuture<?> claim = ClusterRequests.NOTHING;

  private boolean closed;

  /** True while this process hands the lease back, to be a candidate again. */
  private boolean resigning;

  private Runnable cancelRetry = () -> {};
  private Runnable cancelDeadline = () -> {};

  /** The holder or failure that was logged last, so that it is logged once. */
  private @Nullable String logged;

  /**
   * Creates a candidate that has not started yet.
   *
   * @param lease the Lease; created if there is none
   * @param identity the identity of this process; no two processes have the same
   * @param loop its clock must never be set: it measures durations
   * @param wall the wall clock, for times that others read
   */
  public LeaderElector(
      Cluster cluster,
      ObjectRef lease,
      String identity,
      LeaseTimes times,
      EventLoop loop,
      InstantSource wall,
      Leadership leadership) {
    this(cluster, lease, identity, times, loop, wall, leadership, LeaseRole.LEADER);
  }

  /**
   * Creates a candidate that has not started yet.
   *
   * @param lease the Lease; created if there is none
   * @param identity the identity of this process; no two processes have the same, unless their role
   *     is to share the Lease
   * @param loop its clock must never be set: it measures durations
   * @param wall the wall clock, for times that others read
   */
  public LeaderElector(
      Cluster cluster,
      ObjectRef lease,
      String identity,
      LeaseTimes times,
      EventLoop loop,
      InstantSource wall,
      Leadership leadership,
      LeaseRole role) {
    this(
        cluster,
        lease,
        identity,
        times,
        loop,
        wall,
        leadership,
        role,
        (followed, listener) -> {
          Reflector reflector = Reflector.ofObject(cluster, followed, loop, listener);
          reflector.start();
          return reflector::close;
        },
        () -> true);
  }

  /**
   * Creates a candidate that has not started yet.
   *
   * @param source follows the Lease
   * @param willing true while this process wants to lead; a leader continues without
   */
  LeaderElector(
      Cluster cluster,
      ObjectRef lease,
      String identity,
      LeaseTimes times,
      EventLoop loop,
      InstantSource wall,
      Leadership leadership,
      LeaseRole role,
      LeaseSource source,
      BooleanSupplier willing) {
    this.cluster = cluster;
    this.lease = lease;
    this.election = new Election(identity, times);
    this.loop = loop;
    this.wall = wall;
    this.leadership = leadership;
    this.role = role;
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
    return CompletableFuture.supplyAsync(this::stepDown, loop).thenCompose(done -> done);
  }

  /** Looks at the lease again, as this process wants to lead now. Used on the event loop. */
  void reconsider() {
    if (stopFollowing != null) {
      act();
    }
  }

  /**
   * Steps down, so that others may lead at once, and stays a candidate. Must be called on the event
   * loop after all of the leader's work has ended; does not report the end of leadership.
   *
   * @return completes when the release is written, or has failed
   */
  CompletableFuture<@Nullable Void> resign() {
    resigning = true;
    cancelRetry.run();
    cancelDeadline.run();
    if (term != null) {
      term.end();
      term = null;
    }
    return claim
        .handle((_, _) -> true)
        .thenComposeAsync(_ -> giveBack(), loop)
        .whenCompleteAsync(
            (_, _) -> {
              resigning = false;
              follow();
            },
            loop);
  }

  /** Stops and lets the lease expire, for use while the leader's work may still continue. */
  public void close() {
    loop.execute(this::stop);
  }

  /** Stops; true if the lease is held, or may be after a write in flight. */
  private boolean stop() {
    boolean ours = term != null || !claim.isDone();
    closed = true;
    cancelRetry.run();
    cancelDeadline.run();
    stopFollowing();
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
        : ClusterRequests.NOTHING;
  }

  private CompletableFuture<@Nullable Void> giveBack() {
    KubeObject ours = seen;
    LeaseRecord record = ours == null ? null : LeaseRecord.read(ours.spec());
    if (ours == null || record == null || !record.holder().equals(election.identity())) {
      return ClusterRequests.NOTHING;
    }
    return cluster
        .update(with(ours, election.released(record, wall.instant())))
        .<@Nullable Void>handle((_, failure) -> {
          if (failure == null) {
            LOG.info(role.released(name()));
          } else {
            LOG.warn(
                "Cannot release the lease {}; it expires by itself: {}", name(), message(failure));
          }
          return null;
        });
  }

  /** Reads the lease again and watches it from there; each report triggers the next action. */
  private void follow() {
    cancelRetry.run();
    stopFollowing();
    if (!closed) {
      stopFollowing = source.follow(lease, new LeaseListener());
    }
  }

  private void stopFollowing() {
    if (stopFollowing != null) {
      stopFollowing.run();
      stopFollowing = null;
    }
  }

  /** Takes every report of the lease; a reflector that is closed makes none. */
  private final class LeaseListener implements Reflector.Listener {
    private boolean exists;

    @Override
    public void onListStart(String revision) {
      exists = false;
    }

    @Override
    public void onListed(KubeObject found) {
      exists = true;
      record(found);
    }

    @Override
    public void onListEnd() {
      deleted |= !exists;
      act();
    }

    @Override
    public void onEvent(WatchEvent event) {
      if (event.type() == WatchEvent.Type.DELETED) {
        deleted = true;
      } else {
        record(event.object());
      }
      act();
    }
  }

  private void record(KubeObject found) {
    deleted = false;
    if (seen == null || !seen.resourceVersion().equals(found.resourceVersion())) {
      seen = found;
      seenSince = loop.now();
    }
  }

  /** Carries out the next action. */
  private void act() {
    if (closed || claiming || resigning) {
      return; // The answer to the claim triggers the next action.
    }
    if (confirmsFirst()) {
      confirm();
    } else {
      decide();
    }
  }

  private boolean confirmsFirst() {
    return term != null && role.isShared();
  }

  /** Reads a shared lease again: another process may have renewed it for all. */
  private void confirm() {
    claiming = true;
    Term.Moment sent = moment();
    claim =
        inTime(ClusterRequests.find(cluster, lease))
            .whenCompleteAsync((found, failure) -> onConfirmed(sent, found, failure), loop);
  }

  private void onConfirmed(
      Term.Moment sent, @Nullable KubeObject found, @Nullable Throwable failure) {
    claiming = false;
    if (closed || resigning) {
      return;
    }
    if (failure != null) {
      onRefusal(failure);
      return;
    }
    Term.Moment since = confirmed;
    LeaseRecord before = observed();
    confirmed = sent;
    deleted |= found == null;
    if (found != null) {
      record(found);
    }
    LeaseRecord after = found == null ? null : observed();
    boolean renewed = before != null && after != null && election.isRenewal(before, after);
    if (!renewed || since == null || !hold(since)) {
      decide();
    }
  }

  private @Nullable LeaseRecord observed() {
    return seen == null ? null : LeaseRecord.read(seen.spec());
  }

  private Term.Moment moment() {
    return new Term.Moment(loop.now(), wall.instant());
  }

  /** Carries out the next action for the observed lease. */
  private void decide() {
    LeaseRecord record = observed();
    Duration since = seen == null ? Duration.ZERO : Duration.between(seenSince, loop.now());
    switch (election.next(record, since, wall.instant())) {
      case Move.Claim _ when term == null && !willing.getAsBoolean() -> cancelRetry.run();
      case Move.Claim next -> claim(next.record());
      case Move.Wait next -> await(record, next.longest());
    }
  }

  private void await(@Nullable LeaseRecord others, Duration longest) {
    String holder = others == null ? "" : others.holder();
    if (term != null) {
      endTerm(holder + " took the lease");
    }
    if (stopFollowing == null) {
      follow();
      return;
    }
    if (!holder.equals(logged) && willing.getAsBoolean()) {
      logged = holder;
      LOG.info(role.waiting(name(), holder));
    }
    actAfter(longest);
  }

  private void claim(LeaseRecord record) {
    claiming = true;
    Term.Moment sent = moment();
    KubeObject before = seen;
    CompletableFuture<KubeObject> written =
        before == null || deleted
            ? cluster.create(fresh(record))
            : cluster.update(with(before, record));
    claim =
        inTime(written)
            .whenCompleteAsync((now, failure) -> onClaimAnswer(sent, now, failure), loop);
  }

  /**
   * Fails a claim that is not answered within the renew deadline, since its answer could no longer
   * be used. The next one is decided on what the API says then.
   */
  private <T extends @Nullable Object> CompletableFuture<T> inTime(CompletableFuture<T> written) {
    CompletableFuture<T> answer = written.copy();
    Duration deadline = election.times().renewDeadline();
    Runnable cancel =
        loop.after(
            deadline,
            () ->
                answer.completeExceptionally(
                    new ClusterException(
                        Reason.UNAVAILABLE, "no answer within " + deadline.toSeconds() + " s")));
    written.whenComplete((_, _) -> cancel.run());
    return answer;
  }

  private void onClaimAnswer(
      Term.Moment sent, @Nullable KubeObject written, @Nullable Throwable failure) {
    claiming = false;
    if (written != null) {
      record(written);
    }
    if (closed || resigning) {
      return;
    }
    if (written == null) {
      onRefusal(failure);
      return;
    }
    logged = null;
    confirmed = sent;
    if (!hold(sent)) {
      act();
    }
  }

  /**
   * Handles a failed write. After a lost race for the lease, or if another process changed it, the
   * elector reads it again.
   */
  private void onRefusal(@Nullable Throwable failure) {
    boolean outdated = failure != null && isOutdated(failure);
    if (outdated && confirmsFirst()) {
      act();
    } else if (outdated) {
      follow();
    } else {
      Duration delay = retryDelay();
      log(failure, delay);
      actAfter(delay);
    }
  }

  /** True if the lease is not as it was when the claim was decided. */
  private static boolean isOutdated(Throwable failure) {
    return ClusterRequests.hasReason(failure, Reason.CONFLICT)
        || ClusterRequests.hasReason(failure, Reason.ALREADY_EXISTS)
        || ClusterRequests.hasReason(failure, Reason.NOT_FOUND);
  }

  /**
   * Begins or continues a term.
   *
   * @param sent a time before the lease was written
   * @return false if that is too long ago
   */
  private boolean hold(Term.Moment sent) {
    Duration deadline = election.times().renewDeadline();
    Duration left = deadline.minus(Duration.between(sent.steady(), loop.now()));
    if (!left.isPositive()) {
      return false;
    }
    actAfter(election.times().retryPeriod());
    cancelDeadline.run();
    cancelDeadline = loop.after(left, this::onDeadline);
    stopFollowing();
    if (term != null) {
      term.renew(sent, deadline);
    } else {
      Term began = Term.of(loop.clock(), wall, sent, deadline);
      term = began;
      LOG.info(role.acquired(name(), election.identity()));
      leadership.onStartedLeading(began);
    }
    return true;
  }

  private void onDeadline() {
    endTerm("the lease was not renewed in time");
    follow();
  }

  private void endTerm(String reason) {
    Term ending = term;
    term = null;
    cancelDeadline.run();
    if (ending != null) {
      ending.end();
      LOG.warn(role.lost(name(), reason));
      leadership.onStoppedLeading(reason);
    }
  }

  private void actAfter(Duration delay) {
    cancelRetry.run();
    cancelRetry = loop.after(delay, this::act);
  }

  /** Leaders retry after the period, candidates at different times. */
  private Duration retryDelay() {
    Duration period = election.times().retryPeriod();
    double jitter = term == null ? loop.random().nextDouble() * JITTER : 0;
    return period.plusNanos((long) (period.toNanos() * jitter));
  }

  private void log(@Nullable Throwable failure, Duration delay) {
    String what =
        (term == null ? "acquire" : "renew") + " the lease " + name() + ": " + message(failure);
    if (!what.equals(logged)) {
      logged = what;
      LOG.warn("Cannot {}; retrying about every {}", what, delay);
    }
  }

  /** Returns the name of the lease for the log. */
  private String name() {
    return lease.namespace() + "/" + lease.name();
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

  private static String message(@Nullable Throwable failure) {
    return failure == null
        ? "no answer"
        : String.valueOf(ClusterException.causeOf(failure).getMessage());
  }
}
