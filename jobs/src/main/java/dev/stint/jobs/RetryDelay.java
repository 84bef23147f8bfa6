package dev.stint.jobs;

import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.ContainerAttemptView.State;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Explains that a Job waits for the back-off after a failure. The delay belongs to the controller.
 *
 * @param backoff the controller's
 * @param known false if the default one is assumed
 */
record RetryDelay(ExponentialBackoff backoff, boolean known) {
  /** The delay where the controller's is unknown. */
  static final RetryDelay ASSUMED =
      new RetryDelay(new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(10)), false);

  /**
   * Returns a sentence; empty if pods are active or none has failed.
   *
   * @param attempts the known attempts; failures at least
   */
  Optional<String> explanation(
      JobSpec spec, JobStatus status, List<ContainerAttemptView> attempts) {
    List<ContainerAttemptView> failures =
        attempts.stream()
            .filter(each -> each.state() == State.FAILED && each.finishedAt() != null)
            .filter(each -> isOpen(each, status))
            .toList();
    if (status.active() > 0 || failures.isEmpty() || spec.suspend() || spec.parallelism() == 0) {
      return Optional.empty();
    }
    Instant due =
        spec.backoffLimitPerIndex() == null
            ? ofJob(failures, attempts, status)
            : ofIndexes(failures);
    String delay =
        " (the back-off after a failure, %s, doubles with each one in a row)"
            .formatted(known ? words(backoff.base()) + " here" : "10s by default");
    return Optional.of(
        due == null
            ? "the next pod starts later" + delay
            : "the next pod starts at about " + Timestamps.format(due) + delay);
  }

  /** Returns a duration such as {@code 1m30s}. */
  private static String words(Duration delay) {
    return delay.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }

  /** True if the attempt's index still needs to succeed. */
  private static boolean isOpen(ContainerAttemptView failure, JobStatus status) {
    Integer index = failure.index();
    return index == null
        || !status.completedIndexes().contains(index)
            && (status.failedIndexes() == null || !status.failedIndexes().contains(index));
  }

  /** Returns the end of the delay over the whole Job; null if not all successes are known. */
  private @Nullable Instant ofJob(
      List<ContainerAttemptView> failures, List<ContainerAttemptView> all, JobStatus status) {
    List<Instant> successes =
        all.stream()
            .filter(each -> each.state() == State.SUCCEEDED)
            .map(ContainerAttemptView::finishedAt)
            .filter(Objects::nonNull)
            .toList();
    if (successes.size() < status.succeeded()) {
      return null;
    }
    Instant lastSuccess = successes.stream().max(Comparator.naturalOrder()).orElse(Instant.MIN);
    Map<String, Instant> ends = new HashMap<>();
    failures.stream()
        .filter(each -> Objects.requireNonNull(each.finishedAt()).isAfter(lastSuccess))
        .forEach(each -> ends.merge(each.pod(), end(each), RetryDelay::later));
    return due(List.copyOf(ends.values()));
  }

  private @Nullable Instant ofIndexes(List<ContainerAttemptView> failures) {
    return failures.stream()
        .filter(each -> each.index() != null)
        .collect(
            Collectors.groupingBy(
                each -> Objects.requireNonNull(each.index()),
                Collectors.mapping(RetryDelay::end, Collectors.toList())))
        .values()
        .stream()
        .map(this::due)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private @Nullable Instant due(List<Instant> ends) {
    return ends.stream()
        .max(Comparator.naturalOrder())
        .map(last -> last.plus(backoff.delay(ends.size())))
        .orElse(null);
  }

  private static Instant end(ContainerAttemptView attempt) {
    return Objects.requireNonNull(attempt.finishedAt());
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
