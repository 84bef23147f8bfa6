package dev.stint.examples.operator;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Derives the status of a report from its Job. */
final class ReportStatus {
  private static final String READY = "Ready";

  private ReportStatus() {}

  /** Returns the status of a report as its Job has it now. */
  static Report.Status of(Report report, Job job, Instant now) {
    Report.Status status = new Report.Status();
    status.observedGeneration = report.getMetadata().getGeneration();
    status.failedChapters = job.getStatus() == null ? null : job.getStatus().getFailedIndexes();
    Condition ready =
        switch (outcome(job)) {
          case "Complete" -> ready("True", "Published", "all chapters are written");
          case "Failed" -> ready("False", "ChaptersFailed", "failed: " + status.failedChapters);
          default -> ready("False", "Writing", "chapters are being written");
        };
    status.conditions.add(since(ready, report.getStatus(), now));
    return status;
  }

  static boolean isReady(Report.Status status) {
    return status.conditions.stream().anyMatch(each -> each.getStatus().equals("True"));
  }

  /** True if two statuses say the same; a report has none before the operator writes it. */
  static boolean areEqual(Report.Status one, Report.@Nullable Status other) {
    return other != null
        && Objects.equals(one.observedGeneration, other.observedGeneration)
        && Objects.equals(one.failedChapters, other.failedChapters)
        && one.conditions.equals(other.conditions);
  }

  private static String outcome(Job job) {
    List<JobCondition> conditions =
        job.getStatus() == null ? List.of() : job.getStatus().getConditions();
    return conditions.stream()
        .filter(each -> each.getStatus().equals("True"))
        .map(JobCondition::getType)
        .filter(type -> type.equals("Complete") || type.equals("Failed"))
        .findFirst()
        .orElse("");
  }

  private static Condition ready(String status, String reason, String message) {
    return new ConditionBuilder()
        .withType(READY)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .build();
  }

  /** Returns a condition with the time at which its status changed last. */
  private static Condition since(Condition condition, Report.@Nullable Status before, Instant now) {
    List<Condition> conditions = before == null ? List.of() : before.conditions;
    String since =
        conditions.stream()
            .filter(each -> each.getStatus().equals(condition.getStatus()))
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElse(now.toString());
    return condition.edit().withLastTransitionTime(since).build();
  }
}
