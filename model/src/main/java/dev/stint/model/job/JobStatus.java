package dev.stint.model.job;

import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import dev.stint.model.index.IndexSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The status of a Job in typed form.
 *
 * <p>All writers keep this contract, which {@link JobStatusValidation} enforces (KEP-4368, Job
 * status validation):
 *
 * @param conditions {@code Complete} and {@code Failed} exclude each other, as do {@code
 *     SuccessCriteriaMet} and {@code Failed}, {@code SuccessCriteriaMet} and {@code FailureTarget},
 *     {@code Complete} and {@code FailureTarget}; each of the four, once True, stays True. {@code
 *     Complete} needs {@code SuccessCriteriaMet}, {@code Failed} needs {@code FailureTarget}
 * @param startTime null until the Job is first seen unsuspended; cannot be changed or removed while
 *     the Job is not suspended; needed once the Job is finished
 * @param completionTime set together with {@code Complete} and only then; cannot be changed; not
 *     before {@code startTime}
 * @param active the number of pods that run or wait to; 0 once the Job is finished
 * @param ready the number of ready active pods, at most {@code active}; null if not counted
 * @param terminating the number of pods that are being deleted and have not stopped; 0 once the Job
 *     is finished; null if not counted
 * @param succeeded the number of pods that succeeded; never decreases, except that an Indexed Job
 *     may be scaled down
 * @param failed the number of pods that failed; never decreases
 * @param completedIndexes only for Jobs with completionMode Indexed, and empty for others; below
 *     {@code completions}; none of {@code failedIndexes}. A corrupt stored value may stay until it
 *     is changed
 * @param failedIndexes only for Jobs with a backoff limit per index, and null for others; below
 *     {@code completions}
 * @param uncounted pods that have finished and are not in the counters yet: each uid once; empty
 *     once the Job is finished; null if the pods are not tracked yet
 */
public record JobStatus(
    List<JobCondition> conditions,
    @Nullable Instant startTime,
    @Nullable Instant completionTime,
    int active,
    @Nullable Integer ready,
    @Nullable Integer terminating,
    int succeeded,
    int failed,
    IndexSet completedIndexes,
    @Nullable IndexSet failedIndexes,
    @Nullable Uncounted uncounted) {

  public static final JobStatus EMPTY =
      new JobStatus(List.of(), null, null, 0, null, null, 0, 0, IndexSet.EMPTY, null, null);

  /**
   * The uids of pods that have finished but are not in the counters yet (KEP-2307, API changes).
   */
  public record Uncounted(List<String> succeeded, List<String> failed) {
    public static final Uncounted NONE = new Uncounted(List.of(), List.of());

    public Uncounted {
      succeeded = List.copyOf(succeeded);
      failed = List.copyOf(failed);
    }

    public boolean isEmpty() {
      return succeeded.isEmpty() && failed.isEmpty();
    }
  }

  /**
   * Compares all components. Every decision compares two, and a record's own equality takes 15
   * milliseconds at its first call.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof JobStatus that
            && hasSameCounts(that)
            && conditions.equals(that.conditions)
            && Objects.equals(startTime, that.startTime)
            && Objects.equals(completionTime, that.completionTime)
            && completedIndexes.equals(that.completedIndexes)
            && Objects.equals(failedIndexes, that.failedIndexes)
            && Objects.equals(uncounted, that.uncounted);
  }

  private boolean hasSameCounts(JobStatus that) {
    return active == that.active
        && Objects.equals(ready, that.ready)
        && Objects.equals(terminating, that.terminating)
        && succeeded == that.succeeded
        && failed == that.failed;
  }

  @Override
  public int hashCode() {
    return Objects.hash(conditions, active, succeeded, failed, completedIndexes);
  }

  public JobStatus {
    conditions = List.copyOf(conditions);
  }

  /**
   * Converts {@code status}; null and missing parts are empty, corrupt index texts are read up to
   * the fault.
   */
  public static JobStatus read(@Nullable ObjectNode tree) {
    if (tree == null) {
      return EMPTY;
    }
    List<JobCondition> conditions = new ArrayList<>();
    elements(tree, "conditions").forEach(condition -> conditions.add(JobCondition.read(condition)));
    String completed = Json.text(tree, "completedIndexes");
    String failed = Json.text(tree, "failedIndexes");
    return new JobStatus(
        conditions,
        Timestamps.parse(Json.text(tree, "startTime")),
        Timestamps.parse(Json.text(tree, "completionTime")),
        zero(Json.integer(tree, "active")),
        Json.integer(tree, "ready"),
        Json.integer(tree, "terminating"),
        zero(Json.integer(tree, "succeeded")),
        zero(Json.integer(tree, "failed")),
        completed == null ? IndexSet.EMPTY : IndexSet.salvage(completed),
        failed == null ? null : IndexSet.salvage(failed),
        uncounted(Json.objectAt(tree, "uncountedTerminatedPods")));
  }

  /** Returns {@code status}, without the members that Kubernetes leaves out. */
  public ObjectNode write() {
    ObjectNode tree = Json.object();
    if (!conditions.isEmpty()) {
      ArrayNode list = tree.putArray("conditions");
      conditions.forEach(condition -> list.add(condition.write()));
    }
    putTime(tree, "startTime", startTime);
    putTime(tree, "completionTime", completionTime);
    putCount(tree, "active", active);
    putCount(tree, "succeeded", succeeded);
    putCount(tree, "failed", failed);
    if (!completedIndexes.isEmpty()) {
      tree.put("completedIndexes", completedIndexes.toString());
    }
    if (failedIndexes != null) {
      tree.put("failedIndexes", failedIndexes.toString());
    }
    if (uncounted != null) {
      ObjectNode lists = tree.putObject("uncountedTerminatedPods");
      putUids(lists, "succeeded", uncounted.succeeded());
      putUids(lists, "failed", uncounted.failed());
    }
    if (ready != null) {
      tree.put("ready", ready.intValue());
    }
    if (terminating != null) {
      tree.put("terminating", terminating.intValue());
    }
    return tree;
  }

  /** Returns the condition of a type, whether it is true or not. */
  public Optional<JobCondition> condition(String type) {
    for (JobCondition condition : conditions) {
      if (condition.type().equals(type)) {
        return Optional.of(condition);
      }
    }
    return Optional.empty();
  }

  public boolean isTrue(String type) {
    for (JobCondition condition : conditions) {
      if (condition.type().equals(type)) {
        return condition.isTrue();
      }
    }
    return false;
  }

  /** True if the Job has ended, be it Complete or Failed. */
  public boolean isFinished() {
    return isTrue(JobCondition.COMPLETE) || isTrue(JobCondition.FAILED);
  }

  /** Returns this status with a condition in place of any other of its type. */
  public JobStatus with(JobCondition condition) {
    List<JobCondition> all = new ArrayList<>(conditions);
    all.removeIf(other -> other.type().equals(condition.type()));
    all.add(condition);
    return copy(all, completionTime, succeeded);
  }

  /** Returns this status with another completion time. */
  public JobStatus withCompletionTime(@Nullable Instant time) {
    return copy(conditions, time, succeeded);
  }

  /** Returns this status with another number of succeeded pods. */
  public JobStatus withSucceeded(int pods) {
    return copy(conditions, completionTime, pods);
  }

  /** Returns this status with other numbers of pods that have not stopped. */
  public JobStatus withUnfinished(int activePods, int readyPods, int terminatingPods) {
    return new JobStatus(
        conditions,
        startTime,
        completionTime,
        activePods,
        ready == null ? null : (Integer) readyPods,
        terminating == null ? null : (Integer) terminatingPods,
        succeeded,
        failed,
        completedIndexes,
        failedIndexes,
        uncounted);
  }

  private JobStatus copy(List<JobCondition> newConditions, @Nullable Instant time, int pods) {
    return new JobStatus(
        newConditions,
        startTime,
        time,
        active,
        ready,
        terminating,
        pods,
        failed,
        completedIndexes,
        failedIndexes,
        uncounted);
  }

  private static @Nullable Uncounted uncounted(@Nullable ObjectNode tree) {
    return tree == null ? null : new Uncounted(texts(tree, "succeeded"), texts(tree, "failed"));
  }

  private static List<String> texts(JsonNode tree, String member) {
    List<String> texts = new ArrayList<>();
    elements(tree, member).forEach(text -> texts.add(text.stringValue()));
    return texts;
  }

  private static Iterable<JsonNode> elements(JsonNode tree, String member) {
    JsonNode list = Json.arrayAt(tree, member);
    return list == null ? List.of() : list;
  }

  private static int zero(@Nullable Integer count) {
    return count == null ? 0 : count;
  }

  static void putTime(ObjectNode tree, String member, @Nullable Instant time) {
    if (time != null) {
      tree.put(member, Timestamps.format(time));
    }
  }

  private static void putCount(ObjectNode tree, String member, int count) {
    if (count != 0) {
      tree.put(member, count);
    }
  }

  private static void putUids(ObjectNode tree, String member, List<String> uids) {
    if (!uids.isEmpty()) {
      ArrayNode list = tree.putArray(member);
      uids.forEach(list::add);
    }
  }
}
