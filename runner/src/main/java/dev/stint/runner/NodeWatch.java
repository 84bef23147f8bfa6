package dev.stint.runner;

import dev.stint.cluster.WatchEvent;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.Reflector;
import dev.stint.runner.spec.Taints;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows the node's own object, by which people say that it is to take no pods ({@code kubectl
 * cordon}, {@code drain}, {@code taint}). Where there is no such object it takes all. On the loop
 * only.
 */
final class NodeWatch {
  private final NodePorts node;
  private final Runnable changed;
  private final Reflector reflector;
  private @Nullable KubeObject object;

  /**
   * A watch that does nothing yet.
   *
   * @param changed called once it is known whether there is an object, and whenever it changes
   */
  NodeWatch(NodePorts node, Runnable changed) {
    this.node = node;
    this.changed = changed;
    this.reflector = new Reflector(node.cluster(), Kind.NODE, null, node.loop(), new Changes());
  }

  void start() {
    reflector.start();
  }

  void close() {
    reflector.close();
  }

  /** True if there are pods that the node does not take. */
  boolean isRestricted() {
    return object != null && Taints.any(object);
  }

  /** Returns why the node does not take a pod; null where it does. */
  @Nullable String obstacle(KubeObject pod) {
    return object == null ? null : Taints.obstacle(object, pod);
  }

  /** Returns how long a pod that runs may go on here; empty where there is no end to that. */
  Optional<Duration> patience(KubeObject pod) {
    return object == null ? Optional.empty() : Taints.patience(object, pod);
  }

  private boolean isOwn(KubeObject found) {
    return found.name().equals(node.options().nodeName());
  }

  private final class Changes implements Reflector.Listener {
    private @Nullable KubeObject listed;

    @Override
    public void onListStart(String revision) {
      listed = null;
    }

    @Override
    public void onListed(KubeObject found) {
      if (isOwn(found)) {
        listed = found;
      }
    }

    @Override
    public void onListEnd() {
      object = listed;
      changed.run();
    }

    @Override
    public void onEvent(WatchEvent event) {
      if (isOwn(event.object())) {
        object = event.type() == WatchEvent.Type.DELETED ? null : event.object();
        changed.run();
      }
    }

    /** Pods run all the same: without the object, nothing is known against them. */
    @Override
    public void onListFailure(Throwable cause) {
      changed.run();
    }
  }
}
