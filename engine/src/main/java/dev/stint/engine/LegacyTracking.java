package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tracking as it was before KEP-2307, with its gate off: pods have no finalizer, and finished pods
 * count while they exist. A finished pod that somebody deletes is lost to the count, and its work
 * is done again (KEP-2307, Rollback). The counts in the status never decrease.
 *
 * <p>A Job keeps this tracking to its end, even if the gate is switched on again. A condition of
 * our own marks it, beside the missing {@code uncountedTerminatedPods}: anybody's write of a status
 * may lack these.
 */
final class LegacyTracking implements Tracking {
  private final JobSpec spec;
  private final Ledger ledger;
  private final JobStatus stored;
  private final int most;
  private final int limit;
  private final IndexSet indexes;
  private final int succeeded;
  private final int failed;
  private final List<PodView> release = new ArrayList<>();

  private LegacyTracking(JobSpec spec, Ledger ledger, JobStatus stored, EngineOptions options) {
    this.spec = spec;
    this.ledger = ledger;
    this.stored = stored;
    this.most = options.maxPodChangesPerSync();
    this.limit = Objects.requireNonNullElse(spec.completions(), Integer.MAX_VALUE);
    IndexSet.Builder lingering = IndexSet.builder();
    int successes = 0;
    int failures = 0;
    for (PodView pod : ledger.all()) {
      successes += pod.hasSucceeded() ? 1 : 0;
      failures += pod.phase() == PodPhase.Failed ? 1 : 0;
      if (pod.hasSucceeded() && pod.index() >= 0 && pod.index() < limit) {
        lingering.add(pod.index());
      }
    }
    this.indexes = spec.isIndexed() ? lingering.build() : IndexSet.EMPTY;
    this.succeeded = spec.isIndexed() ? indexes.size() : successes;
    this.failed = failures;
  }

  /**
   * True if this tracking applies to a Job. It never applies to a backoff limit per index or a pod
   * failure policy: these need finalizers.
   */
  static boolean appliesTo(JobSpec spec, JobStatus stored, FeatureGates gates) {
    boolean marked = stored.uncounted() == null && stored.isTrue(JobCondition.LEGACY_TRACKING);
    return (marked || !gates.has(Gate.JobTrackingWithoutLingeringPods))
        && spec.backoffLimitPerIndex() == null
        && spec.podFailurePolicy() == null;
  }

  /** Returns the condition that marks a Job that is counted this way. */
  static JobCondition mark(Instant now) {
    return JobCondition.of(
        JobCondition.LEGACY_TRACKING,
        "FinalizersOff",
        "Finished pods count while they exist, since %s was off"
            .formatted(Gate.JobTrackingWithoutLingeringPods),
        now);
  }

  /** Counts the existing finished pods, in time linear in the Job's pods. */
  static LegacyTracking count(
      JobSpec spec, Ledger ledger, JobStatus stored, EngineOptions options) {
    return new LegacyTracking(spec, ledger, stored, options);
  }

  @Override
  public boolean usesFinalizers() {
    return false;
  }

  @Override
  public void releaseAll(boolean success) {
    ledger.active().stream().limit(most).forEach(release::add);
  }

  /** Returns the pods that were created before the gate was switched off. */
  @Override
  public Collection<PodView> untrack() {
    return ledger.tracked().stream().limit(most).toList();
  }

  @Override
  public Collection<PodView> release() {
    return release;
  }

  @Override
  public IndexSet completedIndexes() {
    return indexes;
  }

  /** Returns all recorded indexes and the new ones, consistent with the count. */
  @Override
  public IndexSet recordedIndexes() {
    return stored.completedIndexes().below(limit).union(indexes);
  }

  @Override
  public @Nullable IndexSet failedIndexes() {
    return null;
  }

  @Override
  public IndexSet allFailedIndexes() {
    return IndexSet.EMPTY;
  }

  @Override
  public @Nullable Uncounted uncounted() {
    return null;
  }

  @Override
  public int succeededCount() {
    return spec.isIndexed() ? recordedIndexes().size() : Math.max(stored.succeeded(), succeeded);
  }

  @Override
  public int failedCount() {
    return Math.max(stored.failed(), failed);
  }

  @Override
  public int allSucceeded() {
    return succeeded;
  }

  @Override
  public int allFailed() {
    return failed;
  }

  @Override
  public boolean isSettled() {
    return ledger.tracked().isEmpty() && ledger.active().isEmpty();
  }
}
