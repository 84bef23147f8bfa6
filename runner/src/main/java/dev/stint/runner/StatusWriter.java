package dev.stint.runner;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.ObjectRef;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the statuses of one pod: one at a time, in order. Where several wait, only the newest is
 * written.
 */
final class StatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

  private final Node node;
  private final ObjectRef ref;
  private final String uid;
  private @Nullable ObjectNode next;
  private @Nullable Consumer<Boolean> afterLast;
  private boolean writing;

  StatusWriter(Node node, ObjectRef ref, String uid) {
    this.node = node;
    this.ref = ref;
    this.uid = uid;
  }

  void write(ObjectNode status) {
    next = status;
    sendNext();
  }

  /**
   * Writes the last status of all.
   *
   * @param answered told on the loop whether it is durable, or the pod turned out to be gone; else
   *     it was refused for good
   */
  void writeLast(ObjectNode status, Consumer<Boolean> answered) {
    afterLast = answered;
    write(status);
  }

  private void sendNext() {
    ObjectNode status = next;
    if (writing || status == null) {
      return;
    }
    next = null;
    writing = true;
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", uid);
    patch.set("status", status);
    Request.send(node, () -> node.cluster().patchStatus(ref, patch), this::written);
  }

  private void written(@Nullable Throwable failure) {
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

  /** Whether there is no such pod any more, be there another one of its name or not. */
  static boolean gone(Throwable failure) {
    return failure instanceof ClusterException answer
        && (answer.reason() == ClusterException.Reason.NOT_FOUND
            || answer.reason() == ClusterException.Reason.CONFLICT);
  }
}
