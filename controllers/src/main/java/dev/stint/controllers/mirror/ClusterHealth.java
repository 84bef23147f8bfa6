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
 * Asks a cluster now and then whether it is there, and which one it is. One that does not answer is
 * asked again after a growing delay, and is away once that has lasted a little.
 *
 * <p>Used on its owner's executor only, and calls back there.
 */
final class ClusterHealth {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterHealth.class);
  private static final ObjectRef ASKED =
      new ObjectRef(Kind.NAMESPACE, "", MirrorNames.CLUSTER_NAMESPACE);
  private static final ExponentialBackoff RETRY =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** How long a cluster may fail to answer before that is told. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String name;
  private final Cluster cluster;
  private final EventLoop loop;
  private final Runnable changed;
  private @Nullable String identity;
  private @Nullable Instant silentSince;
  private @Nullable MirrorProblem problem;
  private int failures;
  private Runnable next = () -> {};
  private boolean asking;
  private boolean closed;

  /**
   * @param name of the cluster, for the log
   * @param changed called where it is known for the first time, goes away, or is back
   */
  ClusterHealth(String name, Cluster cluster, EventLoop loop, Runnable changed) {
    this.name = name;
    this.cluster = cluster;
    this.loop = loop;
    this.changed = changed;
  }

  /** Asks now, and then again and again. */
  void ask() {
    if (asking || closed) {
      return;
    }
    asking = true;
    next.run();
    identity(cluster).whenCompleteAsync(this::answered, loop);
  }

  void close() {
    closed = true;
    next.run();
  }

  /** The cluster's identity when it last answered; null where it never did. */
  @Nullable String identity() {
    return identity;
  }

  /** Why the cluster is away; null where it is not. */
  @Nullable MirrorProblem problem() {
    return problem;
  }

  /** Which cluster it is. */
  static CompletableFuture<String> identity(Cluster cluster) {
    return cluster.get(ASKED).thenApply(KubeObject::uid);
  }

  private void answered(@Nullable String uid, @Nullable Throwable failure) {
    asking = false;
    if (closed) {
      return;
    }
    boolean news =
        uid == null ? failed(ClusterException.causeOf(Objects.requireNonNull(failure))) : well(uid);
    Duration delay = uid == null ? RETRY.delay(failures) : EVERY;
    next = loop.after(delay, this::ask);
    if (news) {
      changed.run();
    }
  }

  private boolean well(String uid) {
    boolean news = problem != null || !uid.equals(identity);
    if (problem != null) {
      LOG.info("the {} cluster answers again", name);
    }
    identity = uid;
    problem = null;
    silentSince = null;
    failures = 0;
    return news;
  }

  private boolean failed(Throwable cause) {
    failures++;
    Instant now = loop.now();
    silentSince = silentSince == null ? now : silentSince;
    MirrorProblem found = problem(cause, Duration.between(silentSince, now));
    boolean news = found != null && !found.equals(problem);
    if (news || failures == 1) {
      LOG.warn("the {} cluster cannot be used, trying again: {}", name, cause.getMessage());
    }
    problem = found == null ? problem : found;
    return news;
  }

  private @Nullable MirrorProblem problem(Throwable cause, Duration silent) {
    if (cause instanceof ClusterException answer && !answer.passing()) {
      return new MirrorProblem(
          MirrorProblem.Reason.WorkerRefuses,
          "the %s cluster does not let the mirror in: %s".formatted(name, answer.getMessage()));
    }
    return silent.compareTo(PATIENCE) < 0 ? null : MirrorProblem.unreachable();
  }
}
