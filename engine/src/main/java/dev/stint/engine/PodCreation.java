package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.engine.policy.BackoffLimitPerIndex;
import dev.stint.engine.policy.PodReplacement;
import dev.stint.engine.policy.PolicyInput;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.PodFailurePolicy.Action;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods that a running Job lacks, and its surplus pods.
 *
 * @param create pods to create, most wanted first
 * @param surplus active pods to release
 * @param again when the next delayed pod may be created; null if none is delayed
 */
record PodCreation(List<PodPlan> create, List<PodView> surplus, @Nullable Instant again) {
  private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);
  static final PodCreation NONE = new PodCreation(List.of(), List.of(), null);

  /**
   * Compares the pods that the Job needs with those that it has.
   *
   * @param succeeded the indexes that have succeeded, recorded or not
   * @param startable the indexes that may start; null for all
   */
  static PodCreation of(
      PolicyInput input,
      Ledger ledger,
      EngineOptions options,
      IndexSet succeeded,
      @Nullable IndexSet startable) {
    List<PodView> strays = strays(input, ledger, succeeded);
    int active = ledger.active().size() - strays.size();
    int wanted = wanted(input, active);
    if (active > wanted || !strays.isEmpty()) {
      return new PodCreation(List.of(), surplus(ledger, strays, active - wanted, options), null);
    }
    int room = room(input, ledger, options, wanted - active);
    if (room <= 0) {
      return NONE;
    }
    return input.isPerIndex()
        ? perIndex(input, ledger, room, startable)
        : overall(input, ledger, room, startable);
  }

  /** Returns the pods that replace failed ones of indexes that have begun, and no others. */
  static PodCreation replacing(PolicyInput input, Ledger ledger, EngineOptions options) {
    int lacking = input.spec().parallelism() - ledger.active().size();
    int room = room(input, ledger, options, lacking);
    if (room <= 0 || !lacksReplacements(input, ledger)) {
      return NONE;
    }
    return input.isPerIndex()
        ? perIndex(input, ledger, room, IndexSet.EMPTY)
        : overall(input, ledger, room, ledger.begunIndexes());
  }

  /** True if an index that has begun needs another pod, now or later. */
  static boolean lacksReplacements(PolicyInput input, Ledger ledger) {
    if (!input.isPerIndex()) {
      IndexSet begun = ledger.begunIndexes().below(completions(input));
      return begun.intersectionSize(taken(input, ledger)) < begun.size();
    }
    for (IndexRetries.Retry retry : ledger.retries()) {
      if (mayRetry(input, ledger, retry.index())) {
        return true;
      }
    }
    return false;
  }

  private static int room(PolicyInput input, Ledger ledger, EngineOptions options, int lacking) {
    boolean onlyStopped = PodReplacement.waitsForStop(input.spec(), input.gates());
    int missing = lacking - (onlyStopped ? ledger.terminating() : 0);
    int most = Math.min(missing, options.maxPodChangesPerSync());
    return Math.min(most, waitingRoom(ledger, most, options.maxWaitingPods()));
  }

  /**
   * Returns when a Job that only waits for an index is decided on again: when that is due, but not
   * sooner than after a second, so that many short delays do not become as many writes of its
   * status (KEP-3850, Too fast Job status updates). A Job with a shorter back-off does not wait
   * longer.
   */
  private static Instant requeueTime(Instant due, PolicyInput input, Ledger ledger) {
    Duration base = ledger.backoff().base();
    Duration shortest = base.compareTo(SHORTEST_WAIT) < 0 ? base : SHORTEST_WAIT;
    Instant soonest = input.now().plus(shortest);
    return due.isBefore(soonest) ? soonest : due;
  }

  /** True if there is nothing to do until a back-off has passed. */
  boolean waitsForBackoff() {
    return again != null && create.isEmpty() && surplus.isEmpty();
  }

  /** Returns how many more pods may wait for their start. */
  private static int waitingRoom(Ledger ledger, int most, int maxWaiting) {
    if (ledger.active().size() <= maxWaiting - most) {
      return most;
    }
    long waiting = ledger.active().stream().filter(pod -> pod.phase() == PodPhase.Pending).count();
    return maxWaiting - Math.toIntExact(waiting);
  }

  private static int wanted(PolicyInput input, int active) {
    int parallelism = input.spec().parallelism();
    Integer completions = input.spec().completions();
    if (completions == null) {
      return input.succeeded() > 0 ? Math.min(active, parallelism) : parallelism;
    }
    return Math.min(parallelism, Math.max(0, completions - input.succeeded()));
  }

  /**
   * Applies one back-off over the whole Job, then fills the lowest indexes without a pod.
   *
   * @param among the indexes that may get a pod; null for all
   */
  private static PodCreation overall(
      PolicyInput input, Ledger ledger, int room, @Nullable IndexSet among) {
    Instant backedOffUntil = ledger.backedOffUntil();
    if (backedOffUntil != null && backedOffUntil.isAfter(input.now())) {
      return new PodCreation(List.of(), List.of(), backedOffUntil);
    }
    List<PodPlan> create = new ArrayList<>(room);
    if (input.spec().isIndexed()) {
      addFresh(create, input, ledger, room, PodPlan.NOT_COUNTED, among);
    } else {
      for (int i = 0; i < room; i++) {
        create.add(new PodPlan(PodView.NO_INDEX, PodPlan.NOT_COUNTED, 0));
      }
    }
    return new PodCreation(create, List.of(), null);
  }

  /**
   * Takes the indexes whose own back-off has passed, then the lowest indexes that were never tried.
   *
   * @param fresh the indexes among which the latter are; null for all
   */
  private static PodCreation perIndex(
      PolicyInput input, Ledger ledger, int room, @Nullable IndexSet fresh) {
    List<PodPlan> create = new ArrayList<>(room);
    Instant again = null;
    for (IndexRetries.Retry retry : ledger.retries()) {
      if (retry.due().isAfter(input.now())) {
        again = retry.due();
        break;
      }
      if (create.size() == room) {
        break;
      }
      if (mayRetry(input, ledger, retry.index())) {
        create.add(replacement(ledger, retry));
      }
    }
    if (fresh == null || !fresh.isEmpty()) {
      addFresh(create, input, ledger, room, 0, fresh);
    }
    if (again != null && create.isEmpty()) {
      again = requeueTime(again, input, ledger);
    }
    return new PodCreation(create, List.of(), create.size() < room ? again : null);
  }

  private static boolean mayRetry(PolicyInput input, Ledger ledger, int index) {
    return index < completions(input)
        && !input.completedIndexes().contains(index)
        && !input.failedIndexes().contains(index)
        && !ledger.hasLive(index);
  }

  private static PodPlan replacement(Ledger ledger, IndexRetries.Retry retry) {
    Action action = ledger.action(retry.failed());
    return new PodPlan(
        retry.index(),
        BackoffLimitPerIndex.nextFailureCount(retry.failed(), action),
        BackoffLimitPerIndex.nextIgnoredFailureCount(retry.failed(), action));
  }

  private static void addFresh(
      List<PodPlan> create,
      PolicyInput input,
      Ledger ledger,
      int room,
      int failureCount,
      @Nullable IndexSet among) {
    int completions = completions(input);
    IndexSet taken = taken(input, ledger);
    if (among != null && completions > 0) {
      taken = taken.union(IndexSet.range(0, completions - 1).minus(among));
    }
    int index = taken.nextAbsent(0);
    while (create.size() < room && index < completions) {
      create.add(new PodPlan(index, failureCount, 0));
      index = taken.nextAbsent(index + 1);
    }
  }

  /** Returns the indexes that need no pod now. */
  private static IndexSet taken(PolicyInput input, Ledger ledger) {
    return input.completedIndexes().union(input.failedIndexes()).union(ledger.occupiedIndexes());
  }

  private static int completions(PolicyInput input) {
    return Objects.requireNonNullElse(input.spec().completions(), 0);
  }

  /**
   * Returns the active pods of an Indexed Job whose index is beyond its completions, has succeeded
   * or failed already, or belongs to an older active pod.
   */
  private static List<PodView> strays(PolicyInput input, Ledger ledger, IndexSet succeeded) {
    int completions = completions(input);
    IndexSet done = succeeded.union(input.failedIndexes());
    if (!input.spec().isIndexed() || !ledger.hasStrayIndexes(completions, done)) {
      return List.of();
    }
    Set<Integer> seen = new HashSet<>();
    return ledger.active().stream()
        .sorted(Comparator.comparing(PodView::created).thenComparing(PodView::name))
        .filter(pod ->
            pod.index() < 0
                || pod.index() >= completions
                || done.contains(pod.index())
                || !seen.add(pod.index()))
        .toList();
  }

  private static List<PodView> surplus(
      Ledger ledger, List<PodView> strays, int tooMany, EngineOptions options) {
    int room = options.maxPodChangesPerSync();
    if (strays.size() >= room || tooMany <= 0) {
      return strays.subList(0, Math.min(strays.size(), room));
    }
    Set<String> gone = strays.stream().map(PodView::uid).collect(Collectors.toSet());
    Stream<PodView> least =
        ledger.active().stream()
            .filter(pod -> !gone.contains(pod.uid()))
            .sorted(leastProgressFirst())
            .limit(tooMany);
    return Stream.concat(strays.stream(), least).limit(room).toList();
  }

  /** Returns the order in which surplus pods are released. */
  private static Comparator<PodView> leastProgressFirst() {
    return Comparator.comparing(PodView::scheduled)
        .thenComparing(pod -> pod.phase() == PodPhase.Running)
        .thenComparing(PodView::ready)
        .thenComparing(PodView::created, Comparator.reverseOrder())
        .thenComparing(PodView::name, Comparator.reverseOrder());
  }
}
