package dev.stint.jobs;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Job at a glance.
 *
 * @param reason the reason of its final or interim condition, {@code Cancelled} if a user has
 *     cancelled it; empty if there is none
 * @param ratePerSecond settled units of work per second since its start; null if unknown
 * @param left the time that the rest takes at this rate; null if it is unknown or nothing is left
 * @param created null if unknown
 * @param started null if it has not started
 * @param ended null if it has not ended
 */
public record JobSummary(
    String namespace,
    String name,
    JobState state,
    String reason,
    JobCounts counts,
    @Nullable Double ratePerSecond,
    @Nullable Duration left,
    @Nullable Instant created,
    @Nullable Instant started,
    @Nullable Instant ended) {
  public static JobSummary of(KubeObject job, Instant now) {
    JobStatus status = JobStatus.read(job.status());
    JobState state = JobState.of(job);
    JobCounts counts = JobCounts.of(job);
    Instant start = status.startTime();
    Instant end = endTime(status);
    Instant until = end == null ? now : end;
    CompletionRate pace =
        new CompletionRate(RerunOrigin.keptCounts(job), start == null ? until : start);
    boolean going = state == JobState.RUNNING || state == JobState.WAITING;
    return new JobSummary(
        job.namespace(),
        job.name(),
        state,
        reason(job, status).orElse(""),
        counts,
        pace.rate(counts, until).orElse(null),
        going ? pace.timeLeft(counts, until).orElse(null) : null,
        job.creationTimestamp(),
        start,
        end);
  }

  /**
   * Returns the Job as it stands if no controller works on it.
   *
   * @param stopped true if its pods were stopped, whatever its status says
   */
  public JobSummary withoutController(boolean stopped) {
    JobState now = state.withoutController(started != null);
    return now != JobState.INTERRUPTED
        ? this
        : new JobSummary(
            namespace,
            name,
            now,
            reason,
            stopped ? counts.withoutActive() : counts,
            null,
            null,
            created,
            started,
            ended);
  }

  private static @Nullable Instant endTime(JobStatus status) {
    return status.completionTime() != null
        ? status.completionTime()
        : status
            .condition(JobCondition.FAILED)
            .filter(JobCondition::isTrue)
            .map(JobCondition::transition)
            .orElse(null);
  }

  private static Optional<String> reason(KubeObject job, JobStatus status) {
    return List.of(
            JobCondition.FAILED,
            JobCondition.FAILURE_TARGET,
            JobCondition.COMPLETE,
            JobCondition.SUCCESS_CRITERIA_MET)
        .stream()
        .filter(status::isTrue)
        .findFirst()
        .flatMap(status::condition)
        .map(condition -> DeadlineCancellation.meant(job, condition).reason());
  }

  /** Returns {@code 3/10}, or {@code 3} if the total is unknown. */
  public String done() {
    return counts.completions() == null
        ? Long.toString(counts.succeeded())
        : counts.succeeded() + "/" + counts.completions();
  }

  /** Returns how long the Job took, or has been running; empty if it has not started. */
  public Optional<Duration> took(Instant now) {
    Instant until = ended == null ? now : ended;
    return Optional.ofNullable(started)
        .map(from -> Duration.between(from, until))
        .filter(span -> !span.isNegative());
  }

  /** Returns the summary as JSON. Timestamps are in seconds, rates are per second. */
  public ObjectNode json() {
    ObjectNode tree = Json.object().put("namespace", namespace).put("name", name);
    tree.put("state", state.displayName());
    if (!reason.isEmpty()) {
      tree.put("reason", reason);
    }
    if (counts.completions() != null) {
      tree.put("completions", counts.completions().longValue());
    }
    tree.put("succeeded", counts.succeeded())
        .put("failed", counts.failed())
        .put("failedIndexes", counts.failedIndexes())
        .put("active", counts.active())
        .put("ready", counts.ready())
        .put("terminating", counts.terminating());
    if (ratePerSecond != null) {
      tree.put("ratePerSecond", Math.round(ratePerSecond * 1000) / 1000.0);
    }
    if (left != null) {
      tree.put("secondsLeft", left.toSeconds());
    }
    put(tree, "createdAt", created);
    put(tree, "startedAt", started);
    put(tree, "endedAt", ended);
    return tree;
  }

  static void put(ObjectNode tree, String member, @Nullable Instant time) {
    if (time != null) {
      tree.put(member, Timestamps.format(time));
    }
  }
}
