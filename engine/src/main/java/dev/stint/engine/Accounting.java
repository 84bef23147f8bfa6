package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import dev.stint.model.job.PodFailurePolicy.Action;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The accounting of finished pods: each is counted exactly once (KEP-2307, Algorithm).
 *
 * <p>A finished pod takes these steps, each of which is visible in the store before the next
 * begins:
 *
 * <ol>
 *   <li>It finishes. Its finalizer keeps the object.
 *   <li>Its uid enters {@code status.uncountedTerminatedPods}; at most {@code maxUncountedPods}
 *       uids at a time, under 20 kB. (A succeeded pod of an Indexed Job enters {@code
 *       status.completedIndexes} instead, which is as good as a uid: an index cannot be counted
 *       twice.) The status is written.
 *   <li>Its finalizer is removed.
 *   <li>The next round sees a listed uid whose pod has no finalizer or is gone: the uid leaves the
 *       list and the counter goes up, in one status write, which is also the write of step 2 for
 *       the next pods.
 * </ol>
 *
 * <p>A round is a pure function of the stored status and the pods. So the process may die between
 * any two steps: the next round starts from what is stored and continues. Steps 2 and 4 share a
 * write, which makes one status write a round.
 *
 * <p>A failure that a pod failure policy ignores is not listed and not counted; its finalizer is
 * just removed.
 *
 * <p>A success stays one once it is recorded, even if the pod is deleted in the second of its end,
 * so that it looks evicted from then on. A listed one also stays if somebody who gives up a node
 * marks its pod as failed.
 */
final class Accounting implements Tracking {
  private final JobSpec spec;
  private final Ledger ledger;
  private final int maxUncounted;
  private final Set<String> succeeded = new LinkedHashSet<>();
  private final Set<String> failed = new LinkedHashSet<>();
  private final Map<String, PodView> untrack = new LinkedHashMap<>();
  private final Map<String, PodView> release = new LinkedHashMap<>();
  private final List<String> evicted = new ArrayList<>();
  private final IndexSet.Builder completedIndexes;
  private final IndexSet.@Nullable Builder failedIndexes;
  private final int limit;
  private int succeededCount;
  private int failedCount;

  /** These are computed once: that takes the time of a sync where indexes are many. */
  private @Nullable IndexSet seenSuccesses;

  private @Nullable IndexSet allSucceededIndexes;

  /** The number of pods that look failed since their success was recorded. */
  private int recordedFailures;

  /** Those of them whose failure would count. */
  private int uncountedFailures;

  private Accounting(
      JobSpec spec, boolean perIndex, Ledger ledger, JobStatus status, EngineOptions options) {
    this.spec = spec;
    this.ledger = ledger;
    this.maxUncounted = options.maxUncountedPods();
    Integer indexes = spec.isIndexed() ? spec.completions() : null;
    this.limit = Objects.requireNonNullElse(indexes, Integer.MAX_VALUE);
    this.completedIndexes = status.completedIndexes().below(limit).toBuilder();
    this.failedIndexes =
        perIndex
            ? Objects.requireNonNullElse(status.failedIndexes(), IndexSet.EMPTY)
                .below(limit)
                .toBuilder()
            : null;
    this.succeededCount = status.succeeded();
    this.failedCount = status.failed();
  }

  /**
   * Computes one round: step 4 for pods that lost their finalizer, then step 2 for as many finished
   * pods as there is room for. Failed pods of indexes that the Job no longer has are let go
   * uncounted: no other pod takes their place.
   */
  static Accounting round(
      JobSpec spec, boolean perIndex, Ledger ledger, JobStatus status, EngineOptions options) {
    Accounting round = new Accounting(spec, perIndex, ledger, status, options);
    round.count(Objects.requireNonNullElse(status.uncounted(), Uncounted.NONE));
    round.keepRecorded();
    Stream.concat(ledger.accountable().stream(), ledger.failedBeyond(round.limit).stream())
        .takeWhile(_ -> !round.isFull())
        .forEach(round::account);
    return round;
  }

  private void count(Uncounted stored) {
    for (String uid : stored.succeeded()) {
      succeededCount += isStillTracked(uid, succeeded) ? 0 : 1;
    }
    for (String uid : stored.failed()) {
      failedCount += isStillTracked(uid, failed) ? 0 : 1;
    }
    stored.failed().forEach(uid -> endIndex(ledger.pod(uid)));
  }

  private boolean isStillTracked(String uid, Set<String> list) {
    PodView pod = ledger.pod(uid);
    if (pod == null || !pod.tracked()) {
      return false;
    }
    list.add(uid);
    untrack.put(uid, pod);
    return true;
  }

  /** Releases the pods that look failed since their success was recorded. */
  private void keepRecorded() {
    Stream<@Nullable PodView> recorded =
        spec.isIndexed()
            ? ledger.evicted().stream()
                .filter(pod -> completedIndexes.contains(pod.index()))
                .filter(pod -> !failed.contains(pod.uid())) // A failure that is listed stays one.
            : succeeded.stream().map(ledger::pod);
    recorded
        .filter(pod -> pod != null && !pod.hasSucceeded())
        .forEach(pod -> {
          recordedFailures++;
          uncountedFailures += ledger.countsAsFailure(pod) ? 1 : 0;
          untrack.put(pod.uid(), pod);
        });
  }

  private boolean isFull() {
    return untrack.size() + release.size() >= maxUncounted;
  }

  private void account(PodView pod) {
    if (untrack.containsKey(pod.uid())) {
      return;
    }
    if (pod.hasSucceeded()) {
      accountSuccess(pod);
    } else {
      accountFailure(pod);
    }
    untrack.put(pod.uid(), pod);
  }

  private void accountSuccess(PodView pod) {
    if (!spec.isIndexed()) {
      succeeded.add(pod.uid());
    } else if (hasIndexInRange(pod) && !isFailed(pod.index())) {
      completedIndexes.add(pod.index());
    }
  }

  private void accountFailure(PodView pod) {
    if (spec.isIndexed() && !hasIndexInRange(pod)) {
      return;
    }
    endIndex(pod);
    if (ledger.actionOnEnd(pod) != Action.Ignore) {
      failed.add(pod.uid());
    }
    if (pod.evicted()) {
      evicted.add(pod.name());
    }
  }

  /**
   * Records the index that a failed pod ends. A listed pod's index was recorded together with it,
   * unless limits per index were switched on since.
   */
  private void endIndex(@Nullable PodView pod) {
    if (failedIndexes != null
        && pod != null
        && hasIndexInRange(pod)
        && ledger.endsIndex(pod)
        && !completedIndexes.contains(pod.index())
        && !seenSuccesses().contains(pod.index())) {
      failedIndexes.add(pod.index());
    }
  }

  @Override
  public void releaseAll(boolean success) {
    for (PodView pod : ledger.tracked()) {
      if (isFull()) {
        return;
      }
      if (untrack.containsKey(pod.uid())) {
        continue;
      }
      if (!pod.hasSucceeded() && (!success || pod.hasStopped())) {
        accountFailure(pod);
      }
      (pod.isActive() ? release : untrack).put(pod.uid(), pod);
    }
    for (PodView pod : ledger.active()) {
      if (!pod.tracked() && !isFull()) {
        release.put(pod.uid(), pod);
      }
    }
  }

  @Override
  public boolean usesFinalizers() {
    return true;
  }

  private boolean hasIndexInRange(PodView pod) {
    return pod.index() >= 0 && pod.index() < limit;
  }

  private boolean isFailed(int index) {
    return failedIndexes != null && failedIndexes.contains(index);
  }

  @Override
  public Collection<PodView> untrack() {
    return untrack.values();
  }

  @Override
  public Collection<PodView> release() {
    return release.values();
  }

  @Override
  public List<String> evicted() {
    return evicted;
  }

  @Override
  public IndexSet completedIndexes() {
    return completedIndexes.build();
  }

  @Override
  public @Nullable IndexSet failedIndexes() {
    return failedIndexes == null ? null : failedIndexes.build();
  }

  @Override
  public Uncounted uncounted() {
    return new Uncounted(List.copyOf(succeeded), List.copyOf(failed));
  }

  @Override
  public int succeededCount() {
    return spec.isIndexed() ? completedIndexes.size() : succeededCount;
  }

  @Override
  public int failedCount() {
    return failedCount;
  }

  @Override
  public int allSucceeded() {
    return spec.isIndexed()
        ? allSucceededIndexes().size()
        : Math.toIntExact(
            succeededCount + ledger.trackedSuccesses() + recordedFailures - lateSuccesses());
  }

  @Override
  public IndexSet allSucceededIndexes() {
    if (allSucceededIndexes == null) {
      IndexSet failed = Objects.requireNonNullElse(failedIndexes(), IndexSet.EMPTY);
      allSucceededIndexes = completedIndexes().union(seenSuccesses().minus(failed));
    }
    return allSucceededIndexes;
  }

  /**
   * Returns the indexes that a tracked pod has completed. It wins over another pod of its index
   * that fails, unless that is recorded.
   */
  private IndexSet seenSuccesses() {
    if (seenSuccesses == null) {
      seenSuccesses =
          lateSuccesses() == 0 ? ledger.succeededIndexes().below(limit) : punctualSuccesses();
    }
    return seenSuccesses;
  }

  @Override
  public int allFailed() {
    return Math.toIntExact(
        failedCount
            + ledger.trackedFailures(limit)
            + lateSuccesses()
            + otherListed()
            - uncountedFailures);
  }

  /**
   * Counts pods that were listed as failed while they were being deleted, and then succeeded after
   * all. They stay failures: each pod counts once, and another pod has taken their place.
   */
  private long lateSuccesses() {
    return failed.stream()
        .map(ledger::pod)
        .filter(pod -> pod != null && pod.hasSucceeded())
        .count();
  }

  /**
   * Counts listed failures of indexes that the Job no longer has, and those that a rule ignores by
   * now, such as after a late condition; once listed, they count.
   */
  private long otherListed() {
    return failed.stream()
        .map(ledger::pod)
        .filter(pod -> pod != null && !pod.hasSucceeded())
        .filter(pod -> spec.isIndexed() && pod.index() >= limit || !ledger.countsAsFailure(pod))
        .count();
  }

  private IndexSet punctualSuccesses() {
    IndexSet.Builder indexes = IndexSet.builder();
    ledger.tracked().stream()
        .filter(pod -> pod.hasSucceeded() && hasIndexInRange(pod) && !failed.contains(pod.uid()))
        .forEach(pod -> indexes.add(pod.index()));
    return indexes.build();
  }

  @Override
  public IndexSet allFailedIndexes() {
    IndexSet recorded = failedIndexes();
    if (recorded == null) {
      return IndexSet.EMPTY;
    }
    IndexSet seen = ledger.failingIndexes();
    return seen.isEmpty()
        ? recorded
        : recorded.union(seen.below(limit).minus(allSucceededIndexes()));
  }

  @Override
  public boolean isSettled() {
    return succeeded.isEmpty()
        && failed.isEmpty()
        && ledger.tracked().isEmpty()
        && ledger.active().isEmpty();
  }
}
