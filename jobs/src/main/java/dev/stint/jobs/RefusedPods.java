package dev.stint.jobs;

import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Explains that the API refuses a Job's pods, such as by a quota or a policy. No status says so,
 * since there is no pod; only an event does.
 */
final class RefusedPods {
  private static final String REFUSED = "FailedCreate";
  private static final String CREATED = "SuccessfulCreate";

  /** Controllers write this before the answer of the API. */
  private static final String PREFIX = "Error creating: ";

  private RefusedPods() {}

  /**
   * Returns the newest refusal, in words; empty if the Job needs no more pods than it has, or if
   * pods were created since.
   *
   * @param events those of the Job, in order
   */
  static Optional<String> explanation(KubeObject job, List<JobEvent> events) {
    JobStatus status = JobStatus.read(job.status());
    if (!needsMore(job, status)) {
      return Optional.empty();
    }
    String pods = status.active() == 0 ? "no pods" : "no more pods";
    return last(REFUSED, events)
        .filter(refused ->
            last(CREATED, events).filter(created -> isPast(refused, created, status)).isEmpty())
        .map(refused -> pods + " are created: " + answer(refused));
  }

  /** True if pods were created since. Events have whole seconds, so a Job with pods may tell. */
  private static boolean isPast(JobEvent refused, JobEvent created, JobStatus status) {
    boolean hasPods = status.active() + status.succeeded() + status.failed() > 0;
    int order = time(created).compareTo(time(refused));
    return order > 0 || order == 0 && hasPods;
  }

  private static boolean needsMore(KubeObject job, JobStatus status) {
    JobSpec spec = JobSpec.read(Objects.requireNonNull(job.spec()));
    Integer completions = spec.completions();
    long left =
        completions != null
            ? completions - JobCounts.of(job).settled()
            : status.succeeded() > 0 ? 0 : spec.parallelism();
    return switch (JobState.of(job)) {
      case WAITING, RUNNING -> status.active() < Math.min(spec.parallelism(), left);
      case INTERRUPTED, SUSPENDED, COMPLETE, FAILED, SUCCEEDING, FAILING, DELETING -> false;
    };
  }

  private static Optional<JobEvent> last(String reason, List<JobEvent> events) {
    return events.stream()
        .filter(event -> event.reason().equals(reason))
        .reduce((_, later) -> later);
  }

  private static Instant time(JobEvent event) {
    return Objects.requireNonNullElse(event.at(), Instant.MIN);
  }

  private static String answer(JobEvent refused) {
    String line = refused.message().strip().lines().findFirst().orElse("");
    return line.startsWith(PREFIX) ? line.substring(PREFIX.length()) : line;
  }
}
