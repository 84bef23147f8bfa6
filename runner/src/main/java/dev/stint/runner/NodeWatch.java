package dev.stint.runner;

import dev.stint.cluster.WatchEvent;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.Reflector;
import dev.stint.runner.spec.Taints;
import dev.stint.runner.spec.Tolerations;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Watches the node's own object, on which users forbid pods ({@code kubectl cordon}, {@code drain},
 * {@code taint}). Without such an object, the node takes all pods. On the loop only.
 */
final class NodeWatch {
  /** The number of lists in a row that may fail before pods run without the node. */
  private static final int MAX_MISSED_CHECKS = 3;

  private final NodePorts node;
  private final Runnable changed;
  private final Reflector reflector;
  private @Nullable KubeObject object;

  /**
   * Creates a watch that is not started yet.
   *
   * @param changed called once it is known whether the object exists, and at every change of it
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
    return object != null && Taints.hasAny(object);
  }

  /** Returns why the node does not take a pod with these tolerations; null if it does. */
  @Nullable String obstacle(Tolerations tolerations) {
    return object == null ? null : Taints.obstacle(object, tolerations);
  }

  /** Returns how long a running pod may stay here; empty if there is no limit. */
  Optional<Duration> patience(KubeObject pod) {
    return object == null ? Optional.empty() : Taints.patience(object, pod);
  }

  private boolean isOwn(KubeObject found) {
    return found.name().equals(node.options().nodeName());
  }

  private final class Changes implements Reflector.Listener {
    private @Nullable KubeObject listed;
    private int failures;

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
      failures = 0;
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

    /**
     * Pods run all the same once this has lasted: without the object, nothing is known against
     * them.
     */
    @Override
    public boolean onListFailure(Throwable cause) {
      failures++;
      if (failures >= MAX_MISSED_CHECKS) {
        changed.run();
      }
      return true;
    }
  }
}
