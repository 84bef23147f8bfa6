package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * The law that a pod is ended for its restarts only if its Job counts them, and its index has more
 * failures than the Job allows. (That each such pod is ended, Jobs show whose containers always
 * fail.)
 */
final class RestartLaws {
  static final String REASON = "RestartLimitExceeded";

  private RestartLaws() {}

  /**
   * @param job the pod's; null if there is none
   */
  static void changed(History.@Nullable Job job, KubeObject before, KubeObject after) {
    if (!isEnded(after) || isEnded(before)) {
      return;
    }
    PodView pod = PodView.of(before);
    PodLaws.require(
        job != null && Oracle.countsRestarts(job.object), pod, "is ended though it may restart");
    PodLaws.require(pod.isActive(), pod, "is ended as restarting, though it does not run");
    if (job != null) {
      int failures = pod.failureCount() + Oracle.failedRestarts(job.object, before);
      Integer limit = job.spec.backoffLimitPerIndex();
      PodLaws.require(
          limit != null && failures > limit, pod, "is ended though its index may fail again");
      job.endedByRestarts = true;
    }
  }

  private static boolean isEnded(KubeObject pod) {
    return REASON.equals(pod.statusText("reason"));
  }
}
