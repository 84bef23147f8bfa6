package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.ContainerMemory;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.PodView.ContainerExit;
import dev.stint.model.FeatureGates;
import dev.stint.model.Names;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A Job, its pods and its stored status, with the engine as its only controller and time that only
 * the test advances. Plans are carried out as the controller would; {@link #syncAndDieAfter} stops
 * in the middle of one.
 */
final class EngineWorld {
  JobView job;
  JobStatus status = JobStatus.EMPTY;
  public Instant now = Instant.parse("2026-01-01T00:00:00Z");
  FeatureGates gates = FeatureGates.DEFAULT;
  EngineOptions options = EngineOptions.DEFAULT;
  final Map<String, PodView> pods = new HashMap<>();
  final List<Plan.Event> events = new ArrayList<>();
  final List<JobStatus> statuses = new ArrayList<>();

  /** Pods created so far, and the attempts of each index. */
  int created;

  final Map<Integer, Integer> attempts = new HashMap<>();

  /** The memory of each pod, beyond that of the template. */
  final List<List<ContainerMemory>> memory = new ArrayList<>();

  @Nullable Instant again;

  /** True if a deleted pod stops at once, like one that no node has started. */
  boolean deletedPodsVanish = true;

  public EngineWorld(JobView job) {
    this.job = job;
  }

  Ledger ledger() {
    return Ledger.of(Ledger.Rules.of(job, gates, options.backoff()), pods.values());
  }

  /** Decides and carries out plans until there is nothing to do now. */
  EngineWorld settle() {
    for (int i = 0; i < 10_000; i++) {
      if (!sync()) {
        return this;
      }
    }
    throw new AssertionError("the engine does not come to rest; status " + status);
  }

  /** Carries out one plan; false if there was nothing to do. */
  boolean sync() {
    return syncAndDieAfter(Integer.MAX_VALUE);
  }

  /** Carries out a plan's first steps only, as if the process died after them. */
  boolean syncAndDieAfter(int steps) {
    Plan plan = plan();
    again = plan.again();
    List<Runnable> actions = new ArrayList<>();
    plan.create().forEach(pod -> actions.add(() -> create(pod)));
    if (plan.status() != null) {
      actions.add(() -> write(plan));
    }
    plan.untrack().forEach(pod -> actions.add(() -> untrack(pod)));
    plan.release()
        .forEach(pod -> {
          actions.add(() -> untrack(pod));
          actions.add(() -> delete(pod.uid()));
        });
    plan.overdue().forEach(pod -> actions.add(() -> finish(pod.uid(), PodPhase.Failed)));
    actions.stream().limit(steps).forEach(Runnable::run);
    return !plan.isIdle();
  }

  /** Returns the current plan. */
  Plan plan() {
    return Decision.decide(job, ledger(), status, gates, options, now);
  }

  /** Finishes one pod, without a sync. */
  void finish(String uid, PodPhase phase) {
    pods.computeIfPresent(
        uid, (_, pod) -> edit(pod, phase, pod.tracked(), false, false, pod.exits()));
  }

  /** Sets the restarts of a running pod's containers, without a sync. */
  void restart(String uid, int restarts) {
    pods.computeIfPresent(
        uid,
        (_, pod) ->
            new PodView(
                pod.uid(),
                pod.namespace(),
                pod.name(),
                pod.resourceVersion(),
                pod.index(),
                PodPhase.Running,
                pod.tracked(),
                pod.otherFinalizers(),
                pod.deleting(),
                true,
                true,
                restarts,
                pod.created(),
                pod.finishTime(),
                pod.failureCount(),
                pod.ignoredFailureCount(),
                pod.exits(),
                pod.conditions(),
                pod.evicted(),
                pod.memory()));
  }

  private void write(Plan plan) {
    status = JobStatus.read(Objects.requireNonNull(plan.status()).write());
    statuses.add(status);
    events.addAll(plan.events());
  }

  /** Creates a pod, without a sync. */
  void create(PodPlan plan) {
    String uid = "pod-" + created++;
    attempts.merge(plan.index(), 1, Integer::sum);
    pods.put(
        uid,
        new PodView(
            uid,
            "default",
            "j-" + plan.index() + "-" + uid,
            "1",
            plan.index(),
            PodPhase.Pending,
            plan.tracked(),
            List.of(),
            false,
            false,
            false,
            0,
            now,
            now,
            Math.max(0, plan.failureCount()),
            plan.ignoredFailureCount(),
            List.of(),
            List.of(),
            false,
            plan.memory()));
    memory.add(plan.memory());
  }

  private void untrack(PodView stale) {
    PodView pod = pods.get(stale.uid());
    if (pod == null) {
      return;
    }
    pods.put(pod.uid(), edit(pod, pod.phase(), false, pod.deleting(), pod.ready(), pod.exits()));
    if (pod.deleting() && (pod.hasStopped() || deletedPodsVanish)) {
      pods.remove(pod.uid());
    }
  }

  void delete(String uid) {
    PodView pod = pods.get(uid);
    if (pod == null) {
      return;
    }
    if (!pod.tracked() && (pod.hasStopped() || deletedPodsVanish)) {
      pods.remove(uid);
    } else {
      pods.put(uid, edit(pod, pod.phase(), pod.tracked(), true, pod.ready(), pod.exits()));
    }
  }

  /** Removes the pods that have stopped and that nothing holds, as a garbage collector does. */
  void collectStoppedPods() {
    pods.values().removeIf(pod -> pod.hasStopped() && !pod.tracked());
  }

  /** Stops the containers of every deleted pod. */
  void stopDeletedPods() {
    for (PodView pod : List.copyOf(pods.values())) {
      if (pod.deleting()) {
        PodView stopped =
            edit(
                pod,
                PodPhase.Failed,
                pod.tracked(),
                true,
                false,
                List.of(new ContainerExit("main", 143)));
        pods.put(pod.uid(), stopped);
        if (!stopped.tracked()) {
          pods.remove(pod.uid());
        }
      }
    }
  }

  void run(int index) {
    each(
        pod -> pod.index() == index,
        pod -> edit(pod, PodPhase.Running, pod.tracked(), false, true, List.of()));
  }

  EngineWorld succeed(int index) {
    each(
        pod -> pod.index() == index,
        pod -> edit(pod, PodPhase.Succeeded, pod.tracked(), false, false, List.of()));
    return settle();
  }

  EngineWorld fail(int index, int exitCode) {
    failQuietly(index, exitCode);
    return settle();
  }

  void failQuietly(int index, int exitCode) {
    each(
        pod -> pod.index() == index,
        pod ->
            edit(
                pod,
                PodPhase.Failed,
                pod.tracked(),
                false,
                false,
                List.of(new ContainerExit("main", exitCode))));
  }

  /** Lets time pass, and nothing else happen. */
  EngineWorld pass(Duration time) {
    now = now.plus(time);
    return settle();
  }

  private void each(Predicate<PodView> which, java.util.function.UnaryOperator<PodView> change) {
    List<PodView> active =
        pods.values().stream()
            .filter(PodView::isActive)
            .filter(which)
            .sorted(Comparator.comparing(PodView::uid))
            .toList();
    if (active.isEmpty()) {
      throw new AssertionError("no such active pod; there are " + pods.values());
    }
    active.forEach(pod -> pods.put(pod.uid(), change.apply(pod)));
  }

  /** Finishes a random active pod with a random outcome; false if there is none. */
  boolean finishAny(Random random, double failureRate) {
    List<PodView> active =
        pods.values().stream()
            .filter(PodView::isActive)
            .sorted(Comparator.comparing(PodView::uid))
            .toList();
    if (active.isEmpty()) {
      return false;
    }
    PodView pod = active.get(random.nextInt(active.size()));
    boolean fails = random.nextDouble() < failureRate;
    List<ContainerExit> exits =
        fails ? List.of(new ContainerExit("main", random.nextInt(1, 50))) : List.of();
    PodPhase phase = fails ? PodPhase.Failed : PodPhase.Succeeded;
    pods.put(pod.uid(), edit(pod, phase, pod.tracked(), false, false, exits));
    return true;
  }

  /** Returns the same pod in another state; it finishes now. */
  PodView edit(
      PodView pod,
      PodPhase phase,
      boolean tracked,
      boolean deleting,
      boolean ready,
      List<ContainerExit> exits) {
    boolean finishes = !pod.hasStopped() && (deleting != pod.deleting() || phase != pod.phase());
    return new PodView(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        pod.resourceVersion(),
        pod.index(),
        phase,
        tracked,
        pod.otherFinalizers(),
        deleting,
        phase == PodPhase.Running || pod.scheduled(),
        ready,
        pod.restarts(),
        pod.created(),
        finishes ? now.truncatedTo(ChronoUnit.SECONDS) : pod.finishTime(),
        pod.failureCount(),
        pod.ignoredFailureCount(),
        exits,
        pod.conditions(),
        pod.evicted(),
        pod.memory());
  }

  /** Lets the pods of an index fail since their container needs more than this memory. */
  EngineWorld exhaust(int index, long limit) {
    return failWith(index, List.of(new ContainerMemory("main", 0, limit, true)));
  }

  /** Lets the pods of an index fail with this memory. */
  EngineWorld failWith(int index, List<ContainerMemory> had) {
    failQuietly(index, 137);
    pods.replaceAll((_, pod) -> pod.index() == index && isNew(pod) ? with(pod, had) : pod);
    return settle();
  }

  private boolean isNew(PodView pod) {
    return pod.phase() == PodPhase.Failed && pod.finishTime().equals(now) && pod.tracked();
  }

  static PodView with(PodView pod, List<ContainerMemory> memory) {
    return with(pod, pod.evicted(), memory);
  }

  /** Lets the pods of an index exit with 0, after their end was asked for from outside. */
  EngineWorld evict(int index) {
    each(
        pod -> pod.index() == index,
        pod ->
            with(
                edit(pod, PodPhase.Succeeded, pod.tracked(), true, false, List.of()),
                true,
                pod.memory()));
    return settle();
  }

  /** Evicts the pods of an index, which do not stop yet. */
  EngineWorld disrupt(int index) {
    each(pod -> pod.index() == index, EngineWorld::disrupted);
    return settle();
  }

  static PodView disrupted(PodView pod) {
    return new PodView(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        pod.resourceVersion(),
        pod.index(),
        pod.phase(),
        pod.tracked(),
        pod.otherFinalizers(),
        true,
        pod.scheduled(),
        pod.ready(),
        pod.restarts(),
        pod.created(),
        pod.finishTime(),
        pod.failureCount(),
        pod.ignoredFailureCount(),
        pod.exits(),
        List.of(new PodView.Condition(Names.DISRUPTION_TARGET, "True")),
        pod.evicted(),
        pod.memory());
  }

  /** Lets a pod that has succeeded look as if it had been evicted in the same second. */
  void lookEvicted(String uid) {
    pods.computeIfPresent(uid, (_, pod) -> with(pod, true, pod.memory()));
  }

  private static PodView with(PodView pod, boolean evicted, List<ContainerMemory> memory) {
    return new PodView(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        pod.resourceVersion(),
        pod.index(),
        pod.phase(),
        pod.tracked(),
        pod.otherFinalizers(),
        pod.deleting(),
        pod.scheduled(),
        pod.ready(),
        pod.restarts(),
        pod.created(),
        pod.finishTime(),
        pod.failureCount(),
        pod.ignoredFailureCount(),
        pod.exits(),
        pod.conditions(),
        evicted,
        memory);
  }

  List<Integer> activeIndexes() {
    return pods.values().stream().filter(PodView::isActive).map(PodView::index).sorted().toList();
  }

  boolean anyTracked() {
    return pods.values().stream().anyMatch(PodView::tracked);
  }

  /** Asserts the types of all conditions, and the reason that they share, which comes last. */
  void assertConditions(String... typesAndReason) {
    String reason = typesAndReason[typesAndReason.length - 1];
    List<String> types = List.of(typesAndReason).subList(0, typesAndReason.length - 1);
    assertThat(status.conditions()).extracting(JobCondition::type).containsExactlyElementsOf(types);
    assertThat(status.conditions()).extracting(JobCondition::reason).containsOnly(reason);
  }
}
