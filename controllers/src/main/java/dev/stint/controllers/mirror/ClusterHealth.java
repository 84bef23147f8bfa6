package dev.stint.controllers.mirror;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.EventLoop;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks regularly that a cluster answers, and which cluster it is. A failed check is repeated
 * after a growing delay; after some time the cluster counts as unreachable.
 *
 * <p>Its owner's executor makes all calls, and runs the callbacks.
 */
final class ClusterHealth {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterHealth.class);
  private static final ObjectRef ASKED =
      new ObjectRef(Kind.NAMESPACE, "", MirrorNames.CLUSTER_NAMESPACE);
  private static final ExponentialBackoff RETRY =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** The time for which a cluster may fail to answer before that is reported. */
  private static final Duration SILENCE_LIMIT = Duration.ofSeconds(5);

  private final String name;
  private final Cluster cluster;
  private final EventLoop loop;
  private final Runnable changed;
  private @Nullable String identity;

  /** These times are of the steady clock: a clock that is set is no silence. */
  private @Nullable Instant since;

  private @Nullable Instant silentSince;
  private @Nullable MirrorProblem problem;
  private int failures;
  private Runnable next = () -> {};
  private boolean asking;
  private boolean closed;

  /**
   * @param name of the cluster, in messages
   * @param changed called when the cluster is first known, becomes unreachable, or is back
   */
  ClusterHealth(String name, Cluster cluster, EventLoop loop, Runnable changed) {
    this.name = name;
    this.cluster = cluster;
    this.loop = loop;
    this.changed = changed;
  }

  /** Checks now, and then regularly. */
  void probe() {
    if (asking || closed) {
      return;
    }
    asking = true;
    next.run();
    identity(cluster).whenCompleteAsync(this::onAnswer, loop);
  }

  void close() {
    closed = true;
    next.run();
  }

  /** Returns the cluster's identity at its last answer; null if it never answered. */
  @Nullable String identity() {
    return identity;
  }

  /**
   * Returns since when the cluster has that identity, by the steady clock; null if it never
   * answered.
   */
  @Nullable Instant since() {
    return since;
  }

  /** True if the cluster answers, and lets the mirror in. */
  boolean isUsable() {
    return identity != null && problem == null;
  }

  /**
   * Returns since when the cluster does not answer, by the steady clock; null if it does, even if
   * only to refuse: then what it runs goes on.
   */
  @Nullable Instant silentSince() {
    return problem == null ? null : silentSince;
  }

  /** True if the cluster has answered, or is unreachable. */
  boolean isKnown() {
    return identity != null || problem != null;
  }

  /** Returns the reason for which the cluster is unreachable; null if it is not. */
  @Nullable MirrorProblem problem() {
    return problem;
  }

  /** Reads the cluster's identity. */
  static CompletableFuture<String> identity(Cluster cluster) {
    return cluster.get(ASKED).thenApply(KubeObject::uid);
  }

  private void onAnswer(@Nullable String uid, @Nullable Throwable failure) {
    asking = false;
    if (closed) {
      return;
    }
    boolean news =
        uid == null
            ? recordFailure(ClusterException.causeOf(Objects.requireNonNull(failure)))
            : recordSuccess(uid);
    Duration delay = uid == null ? RETRY.delay(failures) : EVERY;
    next = loop.after(delay, this::probe);
    if (news) {
      changed.run();
    }
  }

  private boolean recordSuccess(String uid) {
    boolean news = problem != null || !uid.equals(identity);
    if (problem != null) {
      LOG.info("{} answers again", name);
    }
    since = since == null || !uid.equals(identity) ? loop.steadyNow() : since;
    identity = uid;
    problem = null;
    silentSince = null;
    failures = 0;
    return news;
  }

  private boolean recordFailure(Throwable cause) {
    failures++;
    MirrorProblem found = isRefusal(cause) ? refused(cause) : silent();
    boolean news = found != null && !found.equals(problem);
    if (news || failures == 1) {
      LOG.warn("Cannot use {}; retrying: {}", name, cause.getMessage());
    }
    problem = found == null ? problem : found;
    return news;
  }

  private static boolean isRefusal(Throwable cause) {
    return cause instanceof ClusterException answer && !answer.isTransient();
  }

  private MirrorProblem refused(Throwable cause) {
    silentSince = null;
    return new MirrorProblem(
        MirrorProblem.Reason.WorkerRefuses,
        "%s refuses the mirror: %s".formatted(name, cause.getMessage()));
  }

  private @Nullable MirrorProblem silent() {
    Instant now = loop.steadyNow();
    silentSince = silentSince == null ? now : silentSince;
    return Duration.between(silentSince, now).compareTo(SILENCE_LIMIT) < 0
        ? null
        : MirrorProblem.unreachable(name);
  }
}
