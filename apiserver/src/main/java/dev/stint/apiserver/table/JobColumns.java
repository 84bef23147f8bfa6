package dev.stint.apiserver.table;

import static dev.stint.model.job.JobCondition.COMPLETE;
import static dev.stint.model.job.JobCondition.FAILED;
import static dev.stint.model.job.JobCondition.FAILURE_TARGET;
import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;
import static dev.stint.model.job.JobCondition.SUSPENDED;

import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.field.FieldPath;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of Jobs, as in Kubernetes 1.36; if a Job of the table is left to another controller,
 * with one for its manager (KEP-4368, Debuggability).
 */
final class JobColumns {
  static final List<Column> ALL =
      Stream.concat(
              Stream.of(
                  Column.named(),
                  Column.text(
                      "Status", "The state of the Job, from its conditions.", JobColumns::status),
                  Column.text(
                      "Completions",
                      "The number of succeeded pods, and how many are required.",
                      JobColumns::completions),
                  Column.timed(
                      "Duration", "How long the Job has run, or ran.", JobColumns::duration),
                  Column.age()),
              PodTemplates.columns("spec").stream())
          .toList();

  static final List<Column> WITH_MANAGER =
      Stream.concat(
              ALL.stream(),
              Stream.of(
                  Column.text(
                          "Managed_By",
                          "The controller named in managedBy; none for the built-in one.",
                          job -> Column.orNone(job.get("spec", "managedBy").text()))
                      .onlyWide()))
          .toList();

  private JobColumns() {}

  /** True if a Job names a manager. */
  static boolean isDelegated(KubeObject job) {
    return job.specText("managedBy") != null;
  }

  static String status(FieldPath job) {
    if (isTrue(job, COMPLETE)) {
      return COMPLETE;
    }
    if (isTrue(job, FAILED)) {
      return FAILED;
    }
    if (job.get("metadata", "deletionTimestamp").exists()) {
      return "Terminating";
    }
    return Stream.of(SUSPENDED, FAILURE_TARGET, SUCCESS_CRITERIA_MET)
        .filter(type -> isTrue(job, type))
        .findFirst()
        .orElse("Running");
  }

  /**
   * Returns {@code 1/3}; for a work queue, which is complete once any pod has succeeded, {@code 0/1
   * of 3}.
   */
  static String completions(FieldPath job) {
    long succeeded = job.get("status", "succeeded").count();
    FieldPath completions = job.get("spec", "completions");
    if (completions.exists()) {
      return succeeded + "/" + completions.count();
    }
    long parallelism = job.get("spec", "parallelism").count();
    return succeeded + "/1" + (parallelism > 1 ? " of " + parallelism : "");
  }

  static String duration(FieldPath job, Instant now) {
    Instant start = Timestamps.parse(job.get("status", "startTime").text());
    Instant end = end(job);
    return start == null ? "" : AgeFormat.human(Duration.between(start, end == null ? now : end));
  }

  /** Returns the time at which the Job completed or failed; null if it has not. */
  private static @Nullable Instant end(FieldPath job) {
    Instant completion = Timestamps.parse(job.get("status", "completionTime").text());
    return completion != null
        ? completion
        : conditions(job, FAILED)
            .map(c -> Timestamps.parse(c.get("lastTransitionTime").text()))
            .findFirst()
            .orElse(null);
  }

  private static boolean isTrue(FieldPath job, String type) {
    return conditions(job, type).findAny().isPresent();
  }

  private static Stream<FieldPath> conditions(FieldPath job, String type) {
    return job.get("status", "conditions").items().stream()
        .filter(c -> c.get("type").text().equals(type) && c.get("status").text().equals("True"));
  }
}
