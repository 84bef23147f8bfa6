package dev.stint.controllers.after;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.AfterProgress;
import dev.stint.model.job.after.PredecessorEnd;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/** The writes to a Job that starts after others. All hold only if the Job has not changed. */
final class AfterPatch {
  private AfterPatch() {}

  /** Returns the patch that records progress. */
  static ObjectNode of(KubeObject job, AfterProgress progress) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", job.uid()).put("resourceVersion", job.resourceVersion());
    ObjectNode annotations = metadata.putObject("annotations");
    if (!progress.met().isEmpty() || job.annotation(AfterProgress.MET) != null) {
      annotations.put(AfterProgress.MET, AfterProgress.text(progress.met()));
    }
    if (progress.ready() != null) {
      annotations.put(AfterProgress.READY, progress.ready().toString());
    }
    if (!progress.ended().isEmpty()) {
      annotations.put(AfterProgress.ENDED, PredecessorEnd.text(progress.ended()));
    } else if (job.annotation(AfterProgress.ENDED) != null) {
      annotations.putNull(AfterProgress.ENDED);
    }
    return patch;
  }

  /** Returns the patch that starts a Job. */
  static ObjectNode starting(KubeObject job, AfterProgress progress) {
    ObjectNode patch = of(job, progress);
    patch.putObject("spec").put("suspend", false);
    return patch;
  }

  /**
   * Returns a Job that is about to fail. Its controller stops its pods and sets {@code Failed} for
   * the same reason (KEP-4368, Terminating pods and terminal Job conditions). A failed Job needs a
   * start time, which no controller gives to a suspended one.
   */
  static KubeObject failing(KubeObject job, String message, Instant now) {
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    JobStatus status =
        JobStatus.read(job.status())
            .with(
                JobCondition.of(
                    JobCondition.FAILURE_TARGET,
                    AfterController.DEPENDENCY_FAILED,
                    message,
                    second));
    ObjectNode tree = status.write();
    if (status.startTime() == null) {
      tree.put("startTime", Timestamps.format(second));
    }
    ObjectNode copy = job.copy();
    copy.set("status", tree);
    return KubeObject.of(copy);
  }
}
