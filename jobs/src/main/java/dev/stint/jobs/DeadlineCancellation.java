package dev.stint.jobs;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cancellation of a Job by a user who may change it, but not its status: it sets a deadline
 * that has passed. Annotations tell it from a deadline that the Job's author wrote.
 */
public final class DeadlineCancellation {
  /** On a Job that was cancelled by a deadline: why. */
  private static final String MESSAGE = "stint.dev/cancelled";

  /** On such a Job: the deadline that it had before, if it had one. */
  private static final String DEADLINE_BEFORE = "stint.dev/deadline-before-cancelled";

  static final List<String> ANNOTATIONS = List.of(MESSAGE, DEADLINE_BEFORE);

  private static final String DEADLINE = "activeDeadlineSeconds";
  private static final long PASSED = 1;

  private DeadlineCancellation() {}

  /** Returns the patch that cancels a Job. */
  static ObjectNode patch(KubeObject job, String message) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata").put("uid", job.uid());
    if (message(job).isEmpty()) {
      Long before = deadline(job);
      ObjectNode annotations = metadata.putObject("annotations").put(MESSAGE, message);
      annotations.put(DEADLINE_BEFORE, before == null ? null : before.toString());
    }
    patch.putObject("spec").put(DEADLINE, PASSED);
    return patch;
  }

  /**
   * Returns a condition as the user means it: if the deadline that has passed was set to cancel the
   * Job, with the reason {@code Cancelled} and its message.
   */
  public static JobCondition meant(KubeObject job, JobCondition condition) {
    return message(job)
        .filter(_ -> condition.reason().equals("DeadlineExceeded"))
        .map(message ->
            condition.with(
                JobExplanation.CANCELLED,
                "%s (which set its %s to %d)".formatted(message, DEADLINE, PASSED)))
        .orElse(condition);
  }

  /** Gives the specification of a cancelled Job the deadline that it had before. */
  static void undo(KubeObject job, ObjectNode spec) {
    if (message(job).isPresent()) {
      String before = job.annotation(DEADLINE_BEFORE);
      spec.remove(DEADLINE);
      if (before != null && before.matches("\\d{1,18}")) {
        spec.put(DEADLINE, Long.parseLong(before));
      }
    }
  }

  /** Returns the message of the cancellation; empty if there was none, or its deadline is gone. */
  private static Optional<String> message(KubeObject job) {
    Long deadline = deadline(job);
    return deadline != null && deadline == PASSED
        ? Optional.ofNullable(job.annotation(MESSAGE))
        : Optional.empty();
  }

  private static @Nullable Long deadline(KubeObject job) {
    return Json.longInteger(job.spec(), DEADLINE);
  }
}
