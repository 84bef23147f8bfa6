package dev.stint.model.job;

import dev.stint.model.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The specification of a Job in typed form, read from a document that has its defaults and is
 * valid.
 *
 * @param completions null for a work queue, where any success means that all work is done
 * @param backoffLimitPerIndex null if failures are counted over the whole Job
 * @param maxFailedIndexes null for no limit
 * @param activeDeadlineSeconds null for no deadline
 * @param managedBy the controller that manages the Job; null for the built-in one
 * @param ttlSecondsAfterFinished null to keep the Job
 * @param template the pod template; must not be changed
 */
public record JobSpec(
    int parallelism,
    @Nullable Integer completions,
    CompletionMode completionMode,
    int backoffLimit,
    @Nullable Integer backoffLimitPerIndex,
    @Nullable Integer maxFailedIndexes,
    @Nullable Long activeDeadlineSeconds,
    boolean suspend,
    @Nullable SuccessPolicy successPolicy,
    @Nullable PodFailurePolicy podFailurePolicy,
    PodReplacementPolicy podReplacementPolicy,
    @Nullable String managedBy,
    @Nullable Integer ttlSecondsAfterFinished,
    ObjectNode template) {

  /** Converts {@code spec}. */
  public static JobSpec read(ObjectNode spec) {
    Integer perIndex = Json.integer(spec, "backoffLimitPerIndex");
    ObjectNode template = Json.objectAt(spec, "template");
    ObjectNode failurePolicy = Json.objectAt(spec, "podFailurePolicy");
    return new JobSpec(
        or(Json.integer(spec, "parallelism"), 1),
        Json.integer(spec, "completions"),
        "Indexed".equals(Json.text(spec, "completionMode"))
            ? CompletionMode.Indexed
            : CompletionMode.NonIndexed,
        or(Json.integer(spec, "backoffLimit"), perIndex == null ? 6 : Integer.MAX_VALUE),
        perIndex,
        Json.integer(spec, "maxFailedIndexes"),
        Json.longInteger(spec, "activeDeadlineSeconds"),
        Boolean.TRUE.equals(Json.bool(spec, "suspend")),
        SuccessPolicy.read(Json.objectAt(spec, "successPolicy")),
        PodFailurePolicy.read(failurePolicy),
        replacement(Json.text(spec, "podReplacementPolicy"), failurePolicy != null),
        Json.text(spec, "managedBy"),
        Json.integer(spec, "ttlSecondsAfterFinished"),
        template == null ? Json.object() : template);
  }

  public boolean isIndexed() {
    return completionMode == CompletionMode.Indexed;
  }

  private static int or(@Nullable Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }

  private static PodReplacementPolicy replacement(@Nullable String text, boolean hasFailurePolicy) {
    return "Failed".equals(text) || text == null && hasFailurePolicy
        ? PodReplacementPolicy.Failed
        : PodReplacementPolicy.TerminatingOrFailed;
  }
}
