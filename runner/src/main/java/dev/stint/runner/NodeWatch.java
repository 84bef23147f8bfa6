package dev.stint.runner;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the node's own object, by which people say that it is to take no pods ({@code kubectl
 * cordon}, {@code drain}, {@code taint}). Where there is no such object it takes all. On the loop
 * only.
 */
final class NodeWatch {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWatch.class);

  private final Node node;
  private final Runnable changed;
  private @Nullable KubeObject object;
  private @Nullable Watch watch;
  private int watches;
  private int failures;
  private boolean closed;

  /**
   * A watch that does nothing yet.
   *
   * @param changed called once the object is known, and whenever it changes
   */
  NodeWatch(Node node, Runnable changed) {
    this.node = node;
    this.changed = changed;
  }

  void start() {
    if (!closed) {
      closeWatch();
      node.cluster()
          .list(Kind.NODE, null)
          .whenComplete((nodes, failure) -> node.loop().execute(() -> listed(nodes, failure)));
    }
  }

  void close() {
    closed = true;
    closeWatch();
  }

  /** Whether there are pods that the node does not take. */
  boolean restricted() {
    return object != null && Taints.any(object);
  }

  /** Why the node does not take a pod; null where it does. */
  @Nullable String obstacle(KubeObject pod) {
    return object == null ? null : Taints.obstacle(object, pod);
  }

  /** How long a pod that runs may go on here; empty where there is no end to that. */
  Optional<Duration> patience(KubeObject pod) {
    return object == null ? Optional.empty() : Taints.patience(object, pod);
  }

  private void listed(@Nullable ObjectList nodes, @Nullable Throwable failure) {
    if (closed) {
      return;
    }
    if (nodes == null) {
      failures++;
      if (failures == 1) {
        LOG.warn("the node can't be read, trying again: {}", String.valueOf(Node.plain(failure)));
      }
      node.after(BackOff.REQUEST.after(failures), this::start);
    } else {
      failures = 0;
      object = nodes.items().stream().filter(this::isOwn).findFirst().orElse(null);
      watchFrom(nodes.resourceVersion());
    }
    changed.run();
  }

  private boolean isOwn(KubeObject found) {
    return found.name().equals(node.options().nodeName());
  }

  private void watchFrom(String revision) {
    int number = ++watches;
    watch =
        node.cluster()
            .watch(
                Kind.NODE,
                null,
                revision,
                new WatchHandler() {
                  @Override
                  public void event(WatchEvent event) {
                    node.loop().execute(() -> watched(number, event));
                  }

                  @Override
                  public void closed(@Nullable ClusterException cause) {
                    node.loop().execute(() -> watchClosed(number, cause));
                  }
                });
  }

  private void watched(int number, WatchEvent event) {
    if (number == watches && isOwn(event.object())) {
      object = event.type() == WatchEvent.Type.DELETED ? null : event.object();
      changed.run();
    }
  }

  private void watchClosed(int number, @Nullable ClusterException cause) {
    if (number != watches || closed) {
      return;
    }
    if (cause != null && cause.reason() == ClusterException.Reason.GONE) {
      start();
    } else {
      node.after(BackOff.REQUEST.after(1), this::start);
    }
  }

  private void closeWatch() {
    watches++;
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }
}
