package dev.stint.reconcile.leader;

import dev.stint.cluster.ClusterException;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines of one candidate. A state that lasts is logged once. */
final class ElectionLog {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

  private final String lease;
  private final LeaseRole role;

  /** The holder or the failure that was logged last. */
  private @Nullable String last;

  ElectionLog(ObjectRef lease, LeaseRole role) {
    this.lease = lease.namespace() + "/" + lease.name();
    this.role = role;
  }

  /** Records that the lease was written, so that whatever comes next is news. */
  void onWritten() {
    last = null;
  }

  void onAcquired(String identity) {
    LOG.info(role.acquired(lease, identity));
  }

  void onLost(String reason) {
    LOG.warn(role.lost(lease, reason));
  }

  void onWaiting(String holder) {
    if (isNews(holder)) {
      LOG.info(role.waiting(lease, holder));
    }
  }

  /** Logs that the lease could not be written or read. */
  void onFailure(boolean leads, Throwable failure, Duration delay) {
    String verb = leads ? "renew" : "acquire";
    String cause = message(failure);
    if (isNews(verb + cause)) {
      LOG.warn("Cannot {} the lease {}: {}; retrying about every {}", verb, lease, cause, delay);
    }
  }

  /**
   * Logs the end of a release.
   *
   * @param failure null if it succeeded
   */
  void onReleased(@Nullable Throwable failure) {
    if (failure == null) {
      LOG.info(role.released(lease));
    } else {
      LOG.warn("Cannot release the lease {}; it expires by itself: {}", lease, message(failure));
    }
  }

  private boolean isNews(String what) {
    boolean news = !what.equals(last);
    last = what;
    return news;
  }

  private static String message(Throwable failure) {
    return String.valueOf(ClusterException.causeOf(failure).getMessage());
  }
}
