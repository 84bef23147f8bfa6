package dev.stint.testkit;

import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.util.Optional;
import java.util.function.Function;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about the current state of a Job. Needs AssertJ on the class path.
 *
 * <pre>{@code
 * import static dev.stint.testkit.JobAssert.assertThat;
 *
 * assertThat(report.awaitFinished()).failedWithReason("FailedIndexes").hasFailedIndexes("2");
 * }</pre>
 *
 * <p>A failure's message contains the Job's counts, indexes, conditions, pods and last events.
 */
public final class JobAssert extends AbstractAssert<JobAssert, TestJob> {
  private JobAssert(TestJob job) {
    super(job, JobAssert.class);
  }

  /** Begins an assertion about a Job. */
  public static JobAssert assertThat(TestJob job) {
    return new JobAssert(job);
  }

  /** Asserts that it has the condition Complete. */
  public JobAssert isComplete() {
    return hasCondition("Complete");
  }

  /** Asserts that it has the condition Failed. */
  public JobAssert isFailed() {
    return hasCondition("Failed");
  }

  /**
   * Asserts that it has the condition Failed, for a reason such as {@code BackoffLimitExceeded}.
   */
  public JobAssert failedWithReason(String reason) {
    return hasCondition("Failed", reason);
  }

  /** Asserts that it is neither Complete nor Failed. */
  public JobAssert isNotFinished() {
    return holds(!status().isFinished(), "not to be finished");
  }

  /** Asserts that it has the condition Suspended. */
  public JobAssert isSuspended() {
    return hasCondition("Suspended");
  }

  /** Asserts that a condition of this type is True. */
  public JobAssert hasCondition(String type) {
    return holds(status().isTrue(type), "to have the condition " + type);
  }

  /** Asserts that a condition of this type is True for this reason. */
  public JobAssert hasCondition(String type, String reason) {
    Optional<JobCondition> found = status().condition(type).filter(JobCondition::isTrue);
    return holds(
        found.map(JobCondition::reason).filter(reason::equals).isPresent(),
        "to have the condition " + type + " with the reason " + reason);
  }

  /**
   * Asserts that exactly these indexes are completed.
   *
   * @param indexes such as {@code 0-4,6}; "" for none
   */
  public JobAssert hasCompletedIndexes(String indexes) {
    return hasIndexes("completed", indexes, JobStatus::completedIndexes);
  }

  /**
   * Asserts that exactly these indexes have failed.
   *
   * @param indexes such as {@code 0-4,6}; "" for none
   */
  public JobAssert hasFailedIndexes(String indexes) {
    return hasIndexes("failed", indexes, JobStatus::failedIndexes);
  }

  /** Asserts the number of active pods, pending ones included. */
  public JobAssert hasActive(int pods) {
    return hasCount("active", pods, status().active());
  }

  /** Asserts the number of active pods that are ready. */
  public JobAssert hasReady(int pods) {
    return hasCount("ready", pods, orNone(status().ready()));
  }

  /** Asserts the number of pods that are being deleted and have not stopped. */
  public JobAssert hasTerminating(int pods) {
    return hasCount("terminating", pods, orNone(status().terminating()));
  }

  /** Asserts the number of pods that have succeeded. */
  public JobAssert hasSucceeded(int pods) {
    return hasCount("succeeded", pods, status().succeeded());
  }

  /** Asserts the number of pods that have failed. */
  public JobAssert hasFailed(int pods) {
    return hasCount("failed", pods, status().failed());
  }

  /** Asserts that it has an event with this reason, such as {@code BackoffLimitExceeded}. */
  public JobAssert hasEvent(String reason) {
    return holds(
        actual.events().stream().anyMatch(event -> event.startsWith(reason + ": ")),
        "to have an event " + reason);
  }

  private JobStatus status() {
    isNotNull();
    return actual.status();
  }

  private static int orNone(@Nullable Integer count) {
    return count == null ? 0 : count;
  }

  private JobAssert hasCount(String what, int wanted, int found) {
    return holds(found == wanted, "to have " + wanted + " " + what + " pods");
  }

  private JobAssert hasIndexes(
      String what, String indexes, Function<JobStatus, @Nullable IndexSet> found) {
    IndexSet there = found.apply(status());
    return holds(
        (there == null ? IndexSet.EMPTY : there).equals(parsed(indexes)),
        "to have exactly the " + what + " indexes " + (indexes.isEmpty() ? "none" : indexes));
  }

  private static IndexSet parsed(String indexes) {
    try {
      return IndexSet.parse(indexes);
    } catch (IndexSet.FormatException fault) {
      throw new IllegalArgumentException(
          "\"" + indexes + "\" is not a list of indexes such as 0-4,6: " + fault.getMessage(),
          fault);
    }
  }

  private JobAssert holds(boolean holds, String expected) {
    if (!holds) {
      failWithMessage("%s", "Expected " + expected + ": " + actual.describe());
    }
    return this;
  }
}
