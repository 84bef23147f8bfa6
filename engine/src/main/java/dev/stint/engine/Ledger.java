package dev.stint.engine;

import dev.stint.engine.pod.ContainerMemory;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.RestartsPerIndex;
import dev.stint.engine.policy.BackoffLimitPerIndex;
import dev.stint.engine.policy.EvictedPods;
import dev.stint.engine.policy.PodFailureRules;
import dev.stint.engine.policy.PodReplacement;
import dev.stint.engine.policy.PolicyInput;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.PodFailurePolicy;
import dev.stint.model.job.PodFailurePolicy.Action;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.job.options.Linger;
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The running tally of one Job's pods. A change of one pod costs O(1) (amortised; O(log n) for
 * times and limits per index), so the cost of a decision depends on the changes, not on the size of
 * the Job.
 *
 * <p>The tally is a function of the existing pods: applying changes one by one gives the same
 * result as starting from a list. (Only the back-off over the whole Job also remembers deleted
 * finished pods.) A pod counts as finished when it succeeded or failed; the pod replacement policy
 * decides whether a pod that is being deleted counts as failed. Finished pods matter only while
 * they hold the tracking finalizer: the others have been accounted for (KEP-2307, Proposal).
 *
 * <p>Not thread-safe.
 */
public final class Ledger {
  /**
   * The settings of a Job that determine its tally. The pod replacement policy, the back-off and
   * the options can change while the Job lives ({@link Ledger#setRules}). They leave out the
   * startable indexes, which change often and do not concern pods that exist.
   */
  public record Rules(
      boolean indexed,
      boolean onlyStoppedCounts,
      @Nullable Integer backoffLimitPerIndex,
      @Nullable PodFailurePolicy podFailurePolicy,
      ExponentialBackoff backoff,
      JobOptions options) {
    public static Rules of(JobView job, FeatureGates gates, ExponentialBackoff backoff) {
      JobSpec spec = job.spec();
      return new Rules(
          spec.isIndexed(),
          PodReplacement.waitsForStop(spec, gates),
          PolicyInput.isPerIndex(spec, gates) ? spec.backoffLimitPerIndex() : null,
          gates.has(Gate.JobPodFailurePolicy) ? spec.podFailurePolicy() : null,
          backoff,
          job.options().withStartable(null));
    }
  }

  private Rules rules;
  private final Map<String, PodView> pods = new HashMap<>();
  private final Map<String, PodView> asSeen = new HashMap<>();
  private final Map<String, PodView> active = new LinkedHashMap<>();
  private final Map<String, PodView> tracked = new LinkedHashMap<>();
  private final Map<String, PodView> finished = new LinkedHashMap<>();
  private final Map<String, PodFailureRules.RuleMatch> outcomes = new HashMap<>();
  private final Map<String, PodFailureRules.RuleMatch> failJobMatches = new LinkedHashMap<>();
  private final Map<String, PodView> evicted = new LinkedHashMap<>();
  private final IndexTally activeIndexes = new IndexTally();
  private final IndexTally occupiedIndexes = new IndexTally();
  private final IndexTally succeededIndexes = new IndexTally();
  private final IndexTally failedIndexes = new IndexTally();
  private final IndexTally failingIndexes = new IndexTally();
  private final IndexTally endingIndexes = new IndexTally();
  private final IndexTally begunIndexes = new IndexTally();
  private final PodHistory history = new PodHistory();
  private final IndexRetries retries;
  private @Nullable MemoryNeeds memory;
  private int ready;
  private int terminating;
  private int restarts;
  private int activeWithoutIndex;
  private int trackedSuccesses;
  private int trackedFailures;

  public Ledger(Rules rules) {
    this.rules = rules;
    this.retries = new IndexRetries(rules.backoff());
    this.memory = MemoryNeeds.of(rules.options().memoryOnOom());
  }

  /** Returns the tally of these pods. */
  static Ledger of(Rules rules, Collection<PodView> pods) {
    Ledger ledger = new Ledger(rules);
    pods.forEach(ledger::put);
    return ledger;
  }

  /** Changes the rules, for the pods that exist too. */
  public void setRules(Rules changed) {
    if (changed.equals(rules)) {
      return;
    }
    List<PodView> all =
        pods.values().stream().map(pod -> asSeen.getOrDefault(pod.uid(), pod)).toList();
    List.copyOf(pods.values()).forEach(this::forget);
    asSeen.clear();
    rules = changed;
    retries.setBackoff(changed.backoff());
    memory = MemoryNeeds.of(changed.options().memoryOnOom());
    all.forEach(this::put);
  }

  /** Returns the pod as it counts for its Job; remembers it as it is, if that differs. */
  private PodView judge(PodView seen) {
    PodView pod = RestartsPerIndex.judge(EvictedPods.judge(seen, rules.options()), rules.options());
    if (pod != seen) {
      asSeen.put(seen.uid(), seen);
    } else if (!asSeen.isEmpty()) {
      asSeen.remove(seen.uid());
    }
    return pod;
  }

  private void forget(PodView pod) {
    pods.remove(pod.uid());
    untally(pod);
    if (!isReleased(pod)) {
      recordTime(pod, PodHistory::removeSuccess, PodHistory::removeFailure);
    }
  }

  /** Records the current state of a pod, be it new or changed. */
  public void put(PodView seen) {
    PodView pod = judge(seen);
    PodView before = pods.put(pod.uid(), pod);
    if (before != null) {
      untally(before);
      if (!isReleased(pod)) {
        recordTime(before, PodHistory::removeSuccess, PodHistory::removeFailure);
      }
    }
    tally(pod);
    recordTime(pod, PodHistory::addSuccess, PodHistory::addFailure);
  }

  /**
   * Records that a pod is gone. Its failure and its finish time still delay the Job's next pods.
   */
  public void remove(String uid) {
    PodView pod = pods.remove(uid);
    asSeen.remove(uid);
    if (pod != null) {
      untally(pod);
    }
  }

  /** Forgets when a pod ended that is not the Job's any more: it delays no other one. */
  public void forgetEnd(String uid) {
    PodView pod = pods.get(uid);
    if (pod != null && pod.tracked()) {
      recordTime(pod, PodHistory::removeSuccess, PodHistory::removeFailure);
    }
  }

  private void tally(PodView pod) {
    ready += pod.ready() && !pod.hasStopped() && !pod.deleting() ? 1 : 0;
    terminating += pod.isTerminating() ? 1 : 0;
    if (pod.isActive()) {
      active.put(pod.uid(), pod);
      activeIndexes.add(pod.index());
      activeWithoutIndex += pod.index() < 0 ? 1 : 0;
      restarts += pod.restarts();
    }
    if (occupiesIndex(pod)) {
      occupiedIndexes.add(pod.index());
    }
    if (holdsBack(pod)) {
      endingIndexes.add(pod.index());
    }
    if (remembersIndexes()) {
      begunIndexes.add(pod.index());
    }
    if (memory != null) {
      memory.put(pod);
    }
    if (pod.tracked()) {
      tracked.put(pod.uid(), pod);
      tallyTracked(pod);
    }
  }

  private void untally(PodView pod) {
    ready -= pod.ready() && !pod.hasStopped() && !pod.deleting() ? 1 : 0;
    terminating -= pod.isTerminating() ? 1 : 0;
    if (active.remove(pod.uid()) != null) {
      activeIndexes.remove(pod.index());
      activeWithoutIndex -= pod.index() < 0 ? 1 : 0;
      restarts -= pod.restarts();
    }
    if (occupiesIndex(pod)) {
      occupiedIndexes.remove(pod.index());
    }
    if (holdsBack(pod)) {
      endingIndexes.remove(pod.index());
    }
    if (remembersIndexes()) {
      begunIndexes.remove(pod.index());
    }
    if (memory != null) {
      memory.remove(pod);
    }
    if (tracked.remove(pod.uid()) != null) {
      untallyTracked(pod);
    }
  }

  private void tallyTracked(PodView pod) {
    if (pod.hasSucceeded()) {
      trackedSuccesses++;
      succeededIndexes.add(pod.index());
      finished.put(pod.uid(), pod);
    } else if (hasFailed(pod)) {
      tallyFailure(pod);
    }
    if (isPerIndex() && pod.index() >= 0) {
      retries.put(pod, hasFailed(pod) && !failsIndex(pod));
      settleIndex(pod.index());
    }
    if (pod.evicted() && !pod.hasSucceeded()) {
      evicted.put(pod.uid(), pod);
    }
  }

  private void tallyFailure(PodView pod) {
    PodFailureRules.RuleMatch outcome =
        PodFailureRules.evaluate(rules.podFailurePolicy(), pod, isPerIndex());
    outcomes.put(pod.uid(), outcome);
    if (counts(pod, outcome)) {
      trackedFailures++;
      failedIndexes.add(pod.index());
    }
    if (outcome.action() == Action.FailJob) {
      failJobMatches.put(pod.uid(), outcome);
    }
    if (failsIndex(pod)) {
      failingIndexes.add(pod.index());
    }
    if (!isPerIndex() || pod.index() < 0 || failsIndex(pod)) {
      finished.put(pod.uid(), pod);
    }
  }

  private void untallyTracked(PodView pod) {
    finished.remove(pod.uid());
    evicted.remove(pod.uid());
    if (pod.hasSucceeded()) {
      trackedSuccesses--;
      succeededIndexes.remove(pod.index());
    }
    if (endsIndex(pod)) {
      failingIndexes.remove(pod.index());
    }
    PodFailureRules.RuleMatch outcome = outcomes.remove(pod.uid());
    if (outcome != null) {
      if (counts(pod, outcome)) {
        trackedFailures--;
        failedIndexes.remove(pod.index());
      }
      failJobMatches.remove(pod.uid());
    }
    if (isPerIndex() && pod.index() >= 0) {
      retries.remove(pod);
      settleIndex(pod.index());
    }
  }

  /**
   * Makes a failed pod accountable once its replacement exists (KEP-3850, Tracking the number of
   * failures).
   */
  private void settleIndex(int index) {
    retries.forEachFailed(
        index,
        (pod, replaced) -> {
          if (replaced) {
            finished.putIfAbsent(pod.uid(), pod);
          } else {
            finished.remove(pod.uid());
          }
        });
  }

  private interface AtTime {
    void at(PodHistory history, Instant time);
  }

  private void recordTime(PodView pod, AtTime success, AtTime failure) {
    if (isPerIndex() || !pod.hasStopped() || isReleased(pod) || lacksIndex(pod)) {
      return;
    }
    (pod.hasSucceeded() ? success : failure).at(history, pod.finishTime());
  }

  /**
   * True if the pod was counted before, or its end does not count: a pod that the Job deletes loses
   * its finalizer first (KEP-2307, Deleted Pods), and delays no other one.
   */
  private static boolean isReleased(PodView pod) {
    return pod.deleting() && !pod.tracked();
  }

  private boolean remembersIndexes() {
    return rules.options().success().linger() == Linger.ContinueWithRecreations;
  }

  private boolean occupiesIndex(PodView pod) {
    if (pod.isActive() || holdsBack(pod)) {
      return true;
    }
    return pod.tracked() && (isPerIndex() || pod.hasSucceeded());
  }

  /** True if the pod has to stop before another one takes its place, tracked or not. */
  private boolean holdsBack(PodView pod) {
    return rules.onlyStoppedCounts() && pod.isTerminating();
  }

  private boolean hasFailed(PodView pod) {
    return pod.phase() == PodPhase.Failed
        || !rules.onlyStoppedCounts() && pod.deleting() && !pod.hasSucceeded();
  }

  private boolean failsIndex(PodView pod) {
    Integer limit = rules.backoffLimitPerIndex();
    return limit != null && BackoffLimitPerIndex.failsIndex(limit, pod, action(pod));
  }

  /** True if failures are counted per index (KEP-3850). */
  public boolean isPerIndex() {
    return rules.backoffLimitPerIndex() != null;
  }

  /**
   * Returns the action for a tracked, failed pod; {@code Count} if it did not fail or no rule
   * matched.
   */
  Action action(PodView pod) {
    return outcomes.getOrDefault(pod.uid(), PodFailureRules.COUNT).action();
  }

  /**
   * Returns the action for a tracked pod that fails with its Job, though it may not have stopped:
   * that of a failed pod, or of the rule that it matches so far.
   */
  Action actionOnEnd(PodView pod) {
    PodFailureRules.RuleMatch outcome = outcomes.get(pod.uid());
    return outcome == null
        ? PodFailureRules.evaluate(rules.podFailurePolicy(), pod, isPerIndex()).action()
        : outcome.action();
  }

  /** Returns the action of the rule that matched a tracked, failed pod; null if none matched. */
  public @Nullable Action handled(PodView pod) {
    PodFailureRules.RuleMatch outcome = outcomes.get(pod.uid());
    return outcome == null || outcome.equals(PodFailureRules.COUNT) ? null : outcome.action();
  }

  /** True if the pod is tracked, failed, and fails its index for good. */
  boolean endsIndex(PodView pod) {
    return outcomes.containsKey(pod.uid()) && failsIndex(pod);
  }

  /** Returns a pod as it counts for its Job. */
  public @Nullable PodView pod(String uid) {
    return pods.get(uid);
  }

  /** Returns a pod as it was seen. */
  public @Nullable PodView seen(String uid) {
    PodView seen = asSeen.get(uid);
    return seen == null ? pods.get(uid) : seen;
  }

  public int size() {
    return pods.size();
  }

  /** Returns all existing pods. */
  Collection<PodView> all() {
    return Collections.unmodifiableCollection(pods.values());
  }

  /**
   * Returns the pods that have neither finished nor are being deleted, in the order of their last
   * change.
   */
  public Collection<PodView> active() {
    return Collections.unmodifiableCollection(active.values());
  }

  /** Returns the existing pods that have finished and are counted. Costs the number of all pods. */
  Stream<PodView> counted() {
    return pods.values().stream()
        .filter(pod -> pod.hasStopped() && !pod.tracked() && !pod.deleting());
  }

  /**
   * True if the failure of a pod delays new pods of a Job without a limit per index: a restarted
   * controller needs the pod to know that.
   */
  boolean delaysOthers(PodView pod) {
    return !isPerIndex() && !pod.hasSucceeded() && history.hasOpenFailure(pod.finishTime());
  }

  /**
   * Returns the last counted success of a Job without a limit per index, if failed pods from before
   * it exist; null otherwise. A restarted controller needs the pod to know that they delay nothing.
   * Costs the number of all pods.
   */
  @Nullable PodView lastSuccessAfterFailures() {
    return isPerIndex()
        ? null
        : counted()
            .filter(PodView::hasSucceeded)
            .max(Comparator.comparing(PodView::finishTime).thenComparing(PodView::name))
            .filter(success -> pods.values().stream().anyMatch(pod -> failedBefore(pod, success)))
            .orElse(null);
  }

  private static boolean failedBefore(PodView pod, PodView success) {
    return pod.hasStopped()
        && !pod.hasSucceeded()
        && !pod.finishTime().isAfter(success.finishTime());
  }

  /** Returns the pods that hold the tracking finalizer. */
  public Collection<PodView> tracked() {
    return Collections.unmodifiableCollection(tracked.values());
  }

  /**
   * Returns the tracked pods that have finished and can be accounted for now, in the order in which
   * they became accountable.
   */
  public Collection<PodView> accountable() {
    return Collections.unmodifiableCollection(finished.values());
  }

  /**
   * Returns the tracked failed pods of indexes from the limit on that would wait for another try.
   * The Job no longer has these indexes.
   */
  List<PodView> failedBeyond(int limit) {
    return retries.failedFrom(limit);
  }

  /** Returns the tracked pods that exited with 0 and yet have failed, since they were evicted. */
  Collection<PodView> evicted() {
    return Collections.unmodifiableCollection(evicted.values());
  }

  /** Counts the active pods that are ready. */
  public int ready() {
    return ready;
  }

  public int terminating() {
    return terminating;
  }

  int restarts() {
    return restarts;
  }

  /** Counts the tracked pods that succeeded. */
  public int trackedSuccesses() {
    return trackedSuccesses;
  }

  /**
   * Counts the tracked pods that failed, without ignored failures, and without indexes from the
   * limit on, which the Job no longer has.
   */
  public int trackedFailures(int limit) {
    if (failedIndexes.max() < limit) {
      return trackedFailures;
    }
    return (int)
        outcomes.keySet().stream()
            .map(tracked::get)
            .filter(pod -> pod != null && pod.index() < limit && countsAsFailure(pod))
            .count();
  }

  /** True if a tracked pod has failed, and that counts. */
  boolean countsAsFailure(PodView pod) {
    PodFailureRules.RuleMatch outcome = outcomes.get(pod.uid());
    return outcome != null && counts(pod, outcome);
  }

  private boolean counts(PodView pod, PodFailureRules.RuleMatch outcome) {
    return outcome.action() != Action.Ignore && !lacksIndex(pod);
  }

  /** True if an Indexed Job cannot count the pod, since it has no index. */
  private boolean lacksIndex(PodView pod) {
    return rules.indexed() && pod.index() < 0;
  }

  /** Returns the indexes of tracked pods that succeeded. */
  IndexSet succeededIndexes() {
    return succeededIndexes.set();
  }

  /** Returns the indexes that a tracked pod fails for good, recorded or not. */
  IndexSet failingIndexes() {
    return failingIndexes.set();
  }

  /** Returns the indexes for which no further pod may be created. */
  IndexSet occupiedIndexes() {
    return occupiedIndexes.set();
  }

  /** Returns the indexes with a pod, for a Job that may go on only with those. */
  IndexSet begunIndexes() {
    return begunIndexes.set();
  }

  /** True if a pod of the index runs, or has to stop before another one may run. */
  boolean hasLive(int index) {
    return activeIndexes.contains(index) || endingIndexes.contains(index);
  }

  /**
   * True if some active pod has no index, an index beyond the limit, another active pod's index, or
   * an index that needs no pod any more.
   */
  boolean hasStrayIndexes(int limit, IndexSet done) {
    return activeWithoutIndex > 0
        || activeIndexes.hasDuplicates()
        || activeIndexes.max() >= limit
        || activeIndexes.set().intersectionSize(done) > 0;
  }

  /** Returns the match for which a pod failure policy fails the Job; null if it does not. */
  PodFailureRules.@Nullable RuleMatch failJobMatch() {
    return failJobMatches.isEmpty() ? null : failJobMatches.values().iterator().next();
  }

  /** Returns the indexes whose last pod failed and that may be tried again, the first due first. */
  Iterable<IndexRetries.Retry> retries() {
    return retries.inOrder();
  }

  /** Returns the back-off of this Job's failed pods. */
  ExponentialBackoff backoff() {
    return rules.backoff();
  }

  /**
   * Returns the time until which failures over the whole Job delay new pods; null if nothing does.
   */
  @Nullable Instant backedOffUntil() {
    Instant last = history.lastFailure();
    int failures = history.failuresInARow();
    return last == null || failures == 0 ? null : last.plus(rules.backoff().delay(failures));
  }

  /** Returns the memory of the next pod of an index; empty for that of the template. */
  List<ContainerMemory> memory(int index) {
    return memory == null ? List.of() : memory.next(index);
  }

  /** True if the memory of the next pod of its index follows from a pod. */
  boolean handsOnMemory(PodView pod) {
    return memory != null && memory.followsFrom(pod);
  }
}
