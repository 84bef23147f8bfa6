package dev.stint.runner;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.ResourceVersions;
import dev.stint.runner.spec.PodSpec;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the statuses of one pod: one at a time, in order. If several wait, only the newest is
 * written.
 *
 * <p>Each write applies to the known state of this pod only. If the pod has changed meanwhile, it
 * is read again. A pod that another client has ended stays ended, since others rely on that; any
 * other pod gets a status computed again for its current state.
 */
final class StatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

  private final NodePorts node;
  private final ObjectRef ref;
  private final String uid;
  private final Consumer<KubeObject> onNewer;
  private String revision;
  private @Nullable Supplier<ObjectNode> next;
  private @Nullable Consumer<Boolean> afterLast;
  private boolean writing;
  private boolean scheduled;

  /** True if the pod is known to have its last phase, by us or by another client. */
  private boolean ended;

  private Runnable cancelScheduled = () -> {};

  /**
   * Creates a writer that has nothing to write yet.
   *
   * @param pod its known state
   * @param onNewer receives, on the loop, the pod's state if it differs from the known one
   */
  StatusWriter(NodePorts node, KubeObject pod, Consumer<KubeObject> onNewer) {
    this.node = node;
    this.ref = pod.ref();
    this.uid = pod.uid();
    this.onNewer = onNewer;
    this.revision = pod.resourceVersion();
  }

  /** True if one state of a pod is earlier than another. */
  static boolean isOlder(KubeObject pod, KubeObject than) {
    return ResourceVersions.isNewer(than.resourceVersion(), pod.resourceVersion());
  }

  /**
   * Runs a task that writes a status, after a delay in which more may change. Does nothing if one
   * is scheduled already.
   */
  void schedule(Runnable write) {
    if (!scheduled) {
      scheduled = true;
      cancelScheduled =
          node.after(
              node.options().statusDelay(),
              () -> {
                scheduled = false;
                write.run();
              });
    }
  }

  void cancelScheduled() {
    scheduled = false;
    cancelScheduled.run();
  }

  /** Records the pod's current state; older states are ignored. */
  void record(KubeObject pod) {
    if (ResourceVersions.isNewer(pod.resourceVersion(), revision)) {
      revision = pod.resourceVersion();
      ended |= PodSpec.isFinished(pod);
    }
  }

  /**
   * Writes a status.
   *
   * @param status builds the status when it is sent; on the loop
   */
  void write(Supplier<ObjectNode> status) {
    next = status;
    sendNext();
  }

  /**
   * Writes the last status of all.
   *
   * @param answered receives true, on the loop, if the status is durable, or the pod is gone or has
   *     ended; false if the status was refused for good
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
    if (ended) {
      onAnswer(null);
      return;
    }
    writing = true;
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", uid).put("resourceVersion", revision);
    patch.set("status", status.get());
    AtomicReference<@Nullable KubeObject> written = new AtomicReference<>();
    RetriedRequest.send(
        node,
        () -> node.cluster().patchStatus(ref, patch).thenAccept(written::set),
        failure -> onWritten(status, written.get(), failure));
  }

  private void onWritten(
      Supplier<ObjectNode> status, @Nullable KubeObject pod, @Nullable Throwable failure) {
    if (pod != null) {
      record(pod);
    }
    if (failure instanceof ClusterException answer && answer.reason() == Reason.CONFLICT) {
      readAgain(status);
    } else {
      onAnswer(failure);
    }
  }

  /** Reads the pod's current state. Another pod of the same name counts as gone. */
  private void readAgain(Supplier<ObjectNode> status) {
    AtomicReference<@Nullable KubeObject> found = new AtomicReference<>();
    RetriedRequest.send(
        node,
        () -> node.cluster().get(ref).thenAccept(found::set),
        failure -> {
          KubeObject pod = found.get();
          if (pod == null || !pod.uid().equals(uid) || PodSpec.isFinished(pod)) {
            onAnswer(failure);
            return;
          }
          record(pod);
          onNewer.accept(pod);
          next = next == null ? status : next;
          writing = false;
          sendNext();
        });
  }

  private void onAnswer(@Nullable Throwable failure) {
    writing = false;
    boolean refused = false;
    if (failure != null && !isGone(failure)) {
      refused = true;
      LOG.error(
          "The API refused the status of {} (uid {}); the next one may differ: {}",
          ref,
          uid,
          failure.getMessage());
    }
    if (next != null) {
      sendNext();
    } else if (afterLast != null) {
      afterLast.accept(!refused);
    }
  }

  /**
   * True if a request for a pod of one uid failed since that pod does not exist any more, even if
   * another one has its name.
   */
  static boolean isGone(Throwable failure) {
    return failure instanceof ClusterException answer
        && (answer.reason() == Reason.NOT_FOUND || answer.reason() == Reason.CONFLICT);
  }
}
