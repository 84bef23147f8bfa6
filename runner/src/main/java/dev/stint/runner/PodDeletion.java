package dev.stint.runner;

import dev.stint.cluster.DeleteOptions;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deletion of pods. The object of a deleted pod goes when its node confirms that nothing of it
 * runs any more.
 */
final class PodDeletion {
  private static final Logger LOG = LoggerFactory.getLogger(PodDeletion.class);

  private PodDeletion() {}

  static boolean isAwaitingConfirmation(KubeObject pod) {
    return pod.deletionTimestamp() != null && PodSpec.deletionGraceSeconds(pod) > 0;
  }

  static void confirm(NodePorts node, KubeObject pod) {
    delete(node, pod, DeleteOptions.now(pod.uid()));
  }

  /** Deletes a pod with its own grace period. */
  static void request(NodePorts node, KubeObject pod) {
    delete(node, pod, DeleteOptions.only(pod.uid()));
  }

  private static void delete(NodePorts node, KubeObject pod, DeleteOptions options) {
    RetriedRequest.send(
        node,
        () -> node.cluster().delete(pod.ref(), options),
        failure -> {
          if (failure != null && !StatusWriter.isGone(failure)) {
            LOG.error(
                "Cannot delete {}; leaving it until it changes or Stint restarts: {}",
                pod.ref(),
                failure.getMessage());
          }
        });
  }
}
