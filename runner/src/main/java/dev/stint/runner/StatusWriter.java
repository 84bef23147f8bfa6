package dev.stint.runner;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.spec.PodSpec;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the statuses of one pod: one at a time, in order. Where several wait, only the newest is
 * written.
 *
 * <p>Each is written to the pod as it is known here and to no other. Where the pod has changed
 * meanwhile, it is read: one that somebody else has ended stays ended, since others rely on that;
 * any other gets the status anew, made for what it is now.
 */
final class StatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);
  private static final Comparator<String> BY_AGE =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final NodePorts node;
  private final ObjectRef ref;
  private final String uid;
  private final Consumer<KubeObject> newer;
  private String revision;
  private @Nullable Supplier<ObjectNode> next;
  private @Nullable Consumer<Boolean> afterLast;
  private boolean writing;

  /**
   * A writer that has nothing to write yet.
   *
   * @param pod as it is known
   * @param newer told on the loop what the pod is, where it turned out to be another than was known
   */
  StatusWriter(NodePorts node, KubeObject pod, Consumer<KubeObject> newer) {
    this.node = node;
    this.ref = pod.ref();
    this.uid = pod.uid();
    this.newer = newer;
    this.revision = pod.resourceVersion();
  }

  /** Whether one state of a pod is earlier than another. */
  static boolean isOlder(KubeObject pod, KubeObject than) {
    return BY_AGE.compare(pod.resourceVersion(), than.resourceVersion()) < 0;
  }

  /** Takes note of what the pod is now; older news change nothing. */
  void seen(KubeObject pod) {
    if (BY_AGE.compare(pod.resourceVersion(), revision) > 0) {
      revision = pod.resourceVersion();
    }
  }

  /**
   * Writes a status.
   *
   * @param status makes it, when it is sent; on the loop
   */
  void write(Supplier<ObjectNode> status) {
    next = status;
    sendNext();
  }

  /**
   * Writes the last status of all.
   *
   * @param answered told on the loop whether it is durable, or the pod turned out to be gone or
   *     ended; else it was refused for good
   */
  void writeLast(Supplier<ObjectNode> status, Consumer<Boolean> answered) {
    afterLast = answered;
    write(status);
  }

  private void sendNext() {
    Supplier<ObjectNode> status = next;
    if (writing || status == null) {
      return;
    }
    next = null;
    writing = true;
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", uid).put("resourceVersion", revision);
    patch.set("status", status.get());
    AtomicReference<@Nullable KubeObject> written = new AtomicReference<>();
    RetriedRequest.send(
        node,
        () -> node.cluster().patchStatus(ref, patch).thenAccept(written::set),
        failure -> written(status, written.get(), failure));
  }

  private void written(
      Supplier<ObjectNode> status, @Nullable KubeObject pod, @Nullable Throwable failure) {
    if (pod != null) {
      seen(pod);
    }
    if (failure instanceof ClusterException answer && answer.reason() == Reason.CONFLICT) {
      look(status);
    } else {
      done(failure);
    }
  }

  /** Finds out what the pod is now. That it is another one of its name counts as gone. */
  private void look(Supplier<ObjectNode> status) {
    AtomicReference<@Nullable KubeObject> found = new AtomicReference<>();
    RetriedRequest.send(
        node,
        () -> node.cluster().get(ref).thenAccept(found::set),
        failure -> {
          KubeObject pod = found.get();
          if (pod == null || !pod.uid().equals(uid) || PodSpec.finished(pod)) {
            done(failure);
            return;
          }
          seen(pod);
          newer.accept(pod);
          next = next == null ? status : next;
          writing = false;
          sendNext();
        });
  }

  private void done(@Nullable Throwable failure) {
    writing = false;
    boolean refused = false;
    if (failure != null && !gone(failure)) {
      refused = true;
      LOG.error("status of {} (uid {}) was refused: {}", ref, uid, failure.getMessage());
    }
    if (next != null) {
      sendNext();
    } else if (afterLast != null) {
      afterLast.accept(!refused);
    }
  }

  /**
   * Whether a request for a pod of one uid failed as there is no such pod any more, be there
   * another one of its name or not.
   */
  static boolean gone(Throwable failure) {
    return failure instanceof ClusterException answer
        && (answer.reason() == Reason.NOT_FOUND || answer.reason() == Reason.CONFLICT);
  }
}
