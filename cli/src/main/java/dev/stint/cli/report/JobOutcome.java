package dev.stint.cli.report;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.output.ExitCode;
import dev.stint.jobs.DeadlineCancellation;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.Rerun;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.PodFailurePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a Job, in words.
 *
 * @param job the Job's name
 * @param exitCode the exit status that it leads to
 * @param reason the reason of its final condition, such as {@code BackoffLimitExceeded}
 * @param message the message of that condition
 * @param counts its final counts
 * @param failedIndexes the indexes that failed for good
 * @param ofList true if {@code run --each} made the Job, and runs the rest of it again
 * @param took the time from its start to its end; null if one of them is unknown
 */
public record JobOutcome(
    String job,
    ExitCode exitCode,
    String reason,
    String message,
    JobCounts counts,
    IndexSet failedIndexes,
    boolean ofList,
    @Nullable Duration took) {
  private static final int SHOWN_INDEXES = 60;

  /** Reads the outcome from a Job; empty while it has none. */
  public static Optional<JobOutcome> of(KubeObject job) {
    JobStatus status = JobStatus.read(job.status());
    return status.conditions().stream()
        .filter(JobCondition::isTrue)
        .filter(JobOutcome::isFinal)
        .findFirst()
        .map(condition -> of(job, status, DeadlineCancellation.meant(job, condition)));
  }

  /** Returns the exit status of several Jobs: a failed one outweighs all others. */
  public static ExitCode exitCode(Collection<JobOutcome> outcomes) {
    return outcomes.stream().anyMatch(outcome -> outcome.exitCode == ExitCode.FAILED)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  /** Returns the lines for the user that say how the Job ended, the verdict first. */
  public List<String> verdictLines() {
    List<String> lines = new ArrayList<>(List.of(verdict()));
    if (hasFailed() && !message.isEmpty()) {
      lines.add("  because: " + message);
    }
    if (hasFailed() && !failedIndexes.isEmpty()) {
      lines.add("  failed indexes: " + shortened(failedIndexes.toString()));
    }
    return lines;
  }

  /**
   * Returns the lines for the user that say what to do next.
   *
   * @param logs the place of the logs of the Job's attempts
   * @param flags the flags that commands need to find the Job, each with a space before it
   * @param repeatable true if the same command goes on with the same Job
   */
  public List<String> nextLines(String logs, String flags, boolean repeatable) {
    String place = "  logs: " + logs;
    return hasFailed()
        ? List.of(place, "  next: read the logs" + next(flags, repeatable))
        : List.of(place);
  }

  /**
   * Returns the message when the wait ended before the Job.
   *
   * @param next the command that resumes it
   */
  public static String interrupted(String job, String next) {
    return "%s: interrupted; its pods are stopped, and %s resumes it".formatted(job, next);
  }

  /**
   * Returns the message when {@code --timeout} passed before the Job ended.
   *
   * @param next the command that resumes it
   */
  public static String timedOut(String job, Duration timeout, String next) {
    return "%s: not finished within %s; its pods are stopped, and %s resumes it"
        .formatted(job, DurationConverter.format(timeout), next);
  }

  /** Returns the message when {@code --fail-fast} ended the wait. */
  public static String stopped(String job, String failed) {
    return "%s: stopped, because %s failed (--fail-fast); the same command resumes it"
        .formatted(job, failed);
  }

  /** True if the Job has failed. */
  public boolean hasFailed() {
    return exitCode == ExitCode.FAILED;
  }

  private String next(String flags, boolean repeatable) {
    if (ofList && repeatable) {
      return "; the same command runs only the lines that have not succeeded";
    }
    if (!failedIndexes.isEmpty()) {
      return "; then run the failed indexes again: stint rerun %s --failed%s".formatted(job, flags);
    }
    return repeatable ? "; the same command starts the Job anew" : "";
  }

  /** Returns the outcome in one line. */
  public String verdict() {
    String time = took == null ? "" : " in " + DurationConverter.took(took);
    return exitCode == ExitCode.OK
        ? job + ": Complete" + time + ", " + completed()
        : job + ": Failed" + time + ", " + failed() + "; " + succeeded();
  }

  private String completed() {
    return switch (reason) {
      case "", "CompletionsReached" -> succeeded();
      case "FailedIndexesAllowed" -> "in spite of failed indexes; " + succeeded();
      case "SuccessPolicy", "SuccessCriteriaMet" -> "by its success policy; " + succeeded();
      default -> "by its success policy (" + reason + "); " + succeeded();
    };
  }

  private String succeeded() {
    return counts.completions() == null
        ? counts.succeeded() + " pods succeeded"
        : counts.succeeded() + " of " + counts.completions() + " succeeded";
  }

  private String failed() {
    return switch (PodFailurePolicy.withoutRule(reason)) {
      case "BackoffLimitExceeded" -> "more pods failed than its backoffLimit allows";
      case "DeadlineExceeded" -> "it took longer than its activeDeadlineSeconds";
      case PodFailurePolicy.REASON ->
          PodFailurePolicy.ruleOf(reason) + " of its podFailurePolicy ended it";
      case "MaxFailedIndexesExceeded" -> "more indexes failed than its maxFailedIndexes allows";
      case "FailedIndexes" -> "indexes failed for good";
      case "" -> "no reason was given";
      default -> "reason " + reason;
    };
  }

  private static JobOutcome of(KubeObject job, JobStatus status, JobCondition condition) {
    IndexSet failedIndexes = status.failedIndexes();
    return new JobOutcome(
        job.name(),
        condition.type().equals(JobCondition.COMPLETE) ? ExitCode.OK : ExitCode.FAILED,
        condition.reason(),
        condition.message(),
        JobCounts.of(job),
        failedIndexes == null ? IndexSet.EMPTY : failedIndexes,
        job.annotation(RunAnnotations.EACH) != null && !Rerun.isNameOfRerun(job.name()),
        took(status, condition));
  }

  private static @Nullable Duration took(JobStatus status, JobCondition condition) {
    Instant end = status.completionTime();
    if (end == null) {
      end = condition.transition();
    }
    Instant start = status.startTime();
    return start == null || end == null ? null : Duration.between(start, end);
  }

  private static boolean isFinal(JobCondition condition) {
    return condition.type().equals(JobCondition.COMPLETE)
        || condition.type().equals(JobCondition.FAILED);
  }

  private static String shortened(String indexes) {
    return indexes.length() <= SHOWN_INDEXES
        ? indexes
        : indexes.substring(0, indexes.lastIndexOf(',', SHOWN_INDEXES)) + ",…";
  }
}
