package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.ContainerMemory;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.PodView.ContainerExit;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.PodFailurePolicy;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final JobOptions MEMORY =
      TestJobs.options(JobOptions.MEMORY_ON_OOM, "x2, max 512Mi");
  private static final JobOptions RECREATIONS =
      TestJobs.asking(
              "{'completionMode':'Indexed','completions':4,"
                  + "'successPolicy':{'rules':[{'succeededCount':1}]}}",
              JobOptions.LINGER,
              "ContinueWithRecreations")
          .options();

  @RepeatedTest(300)
  void aLedgerKeptByChangesEqualsOneMadeFromNothing(RepetitionInfo info) {
    Random random = new Random(info.getCurrentRepetition());
    Ledger.Rules rules = rules(random);
    Ledger kept = new Ledger(rules);
    Map<String, PodView> pods = new HashMap<>();
    List<PodView> gone = new ArrayList<>();
    for (int change = 0; change < 60; change++) {
      String uid = "pod-" + random.nextInt(12);
      if (random.nextInt(5) == 0) {
        PodView pod = pods.remove(uid);
        kept.remove(uid);
        if (pod != null) {
          gone.add(pod);
        }
      } else {
        PodView pod = pod(uid, random);
        PodView before = pods.put(uid, pod);
        if (before != null && pod.deleting() && !pod.tracked()) {
          gone.add(before); // It was counted.
        }
        kept.put(pod);
      }
      assertThat(tally(kept)).isEqualTo(tally(ledger(rules, gone, pods.values())));
    }
  }

  @RepeatedTest(50)
  void aChangedBackoffHoldsForPastFailures(RepetitionInfo info) {
    Random random = new Random(info.getCurrentRepetition());
    Ledger.Rules before = rules(random);
    ExponentialBackoff backoff =
        new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(3));
    Ledger.Rules after =
        new Ledger.Rules(
            before.indexed(),
            before.onlyStoppedCounts(),
            before.backoffLimitPerIndex(),
            before.podFailurePolicy(),
            backoff,
            random.nextBoolean()
                ? TestJobs.options(JobOptions.MEMORY_ON_OOM, "x3, max 1Gi")
                : RECREATIONS);
    List<PodView> pods = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      pods.add(pod("pod-" + i, random));
    }
    Ledger changed = Ledger.of(before, pods);
    changed.setRules(after);
    Ledger fresh = Ledger.of(after, pods);
    for (PodView pod : pods) {
      assertThat(tally(changed)).isEqualTo(tally(fresh));
      assertThat(changed.retries()).containsExactlyElementsOf(fresh.retries());
      changed.remove(pod.uid());
      fresh.remove(pod.uid());
    }
  }

  private static Ledger ledger(
      Ledger.Rules rules, List<PodView> gone, java.util.Collection<PodView> pods) {
    Ledger ledger = new Ledger(rules);
    for (PodView pod : gone) {
      ledger.put(pod);
      ledger.remove(pod.uid());
    }
    pods.forEach(ledger::put);
    return ledger;
  }

  private static Ledger.Rules wholeJob() {
    return new Ledger.Rules(
        false,
        false,
        null,
        null,
        new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(10)),
        JobOptions.NONE);
  }

  private static PodView failed(boolean tracked) {
    Random random = new Random(1);
    return Stream.generate(() -> pod("a", random))
        .filter(pod -> pod.phase() == PodPhase.Failed && pod.tracked() == tracked)
        .filter(pod -> !pod.deleting())
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeletedFailedPodStillDelaysTheNextOne(boolean tracked) {
    PodView failed = failed(tracked);
    Ledger ledger = Ledger.of(wholeJob(), List.of(failed));
    Instant until = ledger.backedOffUntil();
    assertThat(until).isEqualTo(failed.finishTime().plusSeconds(10));
    ledger.remove("a");
    assertThat(ledger.backedOffUntil()).isEqualTo(until);
  }

  @Test
  void aFailedPodThatIsTakenFromItsJobDelaysTheNextOneOnlyIfItWasCounted() {
    Ledger uncounted = Ledger.of(wholeJob(), List.of(failed(true)));
    uncounted.forgetEnd("a");
    uncounted.remove("a");
    assertThat(uncounted.backedOffUntil()).isNull();

    PodView pod = failed(false);
    Ledger counted = Ledger.of(wholeJob(), List.of(pod));
    counted.forgetEnd("a");
    counted.remove("a");
    assertThat(counted.backedOffUntil()).isEqualTo(pod.finishTime().plusSeconds(10));
  }

  @Test
  void aPodThatItsJobDeletesDelaysNoOtherOne() {
    Ledger ledger = new Ledger(wholeJob());
    EngineWorld world = new EngineWorld(TestJobs.job("{'completions':1,'parallelism':1}"));
    world.settle();
    PodView pod = world.pods.values().iterator().next();
    PodView released = world.edit(pod, PodPhase.Running, false, true, true, List.of());
    ledger.put(released);
    ledger.put(
        world.edit(
            released,
            PodPhase.Failed,
            false,
            true,
            false,
            List.of(new ContainerExit("main", 143))));
    assertThat(ledger.backedOffUntil()).isNull();
  }

  private static Ledger.Rules rules(Random random) {
    PodFailurePolicy policy =
        new PodFailurePolicy(
            List.of(
                rule(PodFailurePolicy.Action.Ignore, 1),
                rule(PodFailurePolicy.Action.FailIndex, 2),
                rule(PodFailurePolicy.Action.FailJob, 3)));
    return new Ledger.Rules(
        true,
        random.nextBoolean(),
        random.nextBoolean() ? random.nextInt(3) : null,
        random.nextBoolean() ? policy : null,
        new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(10)),
        List.of(JobOptions.NONE, MEMORY, RECREATIONS).get(random.nextInt(3)));
  }

  private static PodFailurePolicy.Rule rule(PodFailurePolicy.Action action, int exitCode) {
    return new PodFailurePolicy.Rule(
        "0", action, new PodFailurePolicy.OnExitCodes(null, true, Set.of(exitCode)), List.of());
  }

  private static PodView pod(String uid, Random random) {
    PodPhase phase =
        List.of(PodPhase.Pending, PodPhase.Running, PodPhase.Succeeded, PodPhase.Failed)
            .get(random.nextInt(4));
    return new PodView(
        uid,
        "default",
        uid,
        "1",
        random.nextInt(-1, 4),
        phase,
        random.nextInt(4) > 0,
        List.of(),
        random.nextInt(4) == 0,
        random.nextBoolean(),
        phase == PodPhase.Running && random.nextBoolean(),
        random.nextInt(3),
        START,
        START.plusSeconds(random.nextInt(5)),
        random.nextInt(3),
        random.nextInt(2),
        phase == PodPhase.Failed
            ? List.of(new ContainerExit("main", random.nextInt(1, 5)))
            : List.of(),
        List.of(),
        phase == PodPhase.Succeeded && random.nextBoolean(),
        memory(phase, random));
  }

  private static List<ContainerMemory> memory(PodPhase phase, Random random) {
    long limit = (64L << 20) << random.nextInt(3);
    return random.nextInt(3) > 0
        ? List.of()
        : List.of(new ContainerMemory("main", 0, limit, phase == PodPhase.Failed));
  }

  /** Returns everything that a ledger reports, in an order that does not depend on its history. */
  private static List<Object> tally(Ledger ledger) {
    List<Object> all = new ArrayList<>();
    all.add(uids(ledger.active()));
    all.add(uids(ledger.tracked()));
    all.add(uids(ledger.accountable()));
    all.add(List.of(ledger.size(), ledger.ready(), ledger.terminating(), ledger.restarts()));
    all.add(List.of(ledger.trackedSuccesses(), ledger.trackedFailures(3)));
    all.add(ledger.succeededIndexes());
    all.add(ledger.failingIndexes());
    all.add(ledger.occupiedIndexes());
    all.add(ledger.begunIndexes());
    all.add(IntStream.range(0, 4).mapToObj(ledger::hasLive).toList());
    all.add(uids(ledger.evicted()));
    all.add(uids(ledger.counted().toList()));
    all.add(ledger.hasStrayIndexes(3, IndexSet.of(1)));
    all.add(IntStream.range(-1, 4).mapToObj(ledger::memory).toList());
    all.add(
        ledger.all().stream().filter(ledger::handsOnMemory).map(PodView::uid).sorted().toList());
    all.add(ledger.failJobMatch() != null);
    all.add(String.valueOf(ledger.backedOffUntil()));
    ledger.retries().forEach(retry -> all.add(retry.index() + "@" + retry.due()));
    ledger.tracked().stream()
        .sorted(java.util.Comparator.comparing(PodView::uid))
        .map(ledger::action)
        .forEach(all::add);
    return all;
  }

  private static Set<String> uids(Iterable<PodView> pods) {
    return java.util.stream.StreamSupport.stream(pods.spliterator(), false)
        .map(PodView::uid)
        .collect(Collectors.toSet());
  }

  /** Returns the only pod of a Job, which is that of index 0. */
  private static PodView onlyPod(EngineWorld world) {
    world.create(new PodPlan(0, 0, 0));
    return world.pods.values().iterator().next();
  }

  private static Ledger.Rules perIndex(boolean onlyStoppedCounts) {
    return new Ledger.Rules(
        true, onlyStoppedCounts, 1, null, EngineOptions.DEFAULT.backoff(), JobOptions.NONE);
  }

  @Test
  void aPodThatHasStoppedIsNotReady() {
    EngineWorld world = new EngineWorld(TestJobs.job("{}"));
    PodView pod = onlyPod(world);
    PodView running = world.edit(pod, PodPhase.Running, true, false, true, List.of());
    PodView lost = world.edit(running, PodPhase.Failed, true, false, true, List.of());
    Ledger ledger = Ledger.of(wholeJob(), List.of(running));
    assertThat(ledger.ready()).isOne();
    ledger.put(lost);
    assertThat(ledger.ready()).isZero();
    ledger.remove(lost.uid());
    assertThat(ledger.ready()).isZero();
  }

  /** As when its Job was suspended and resumed: its finalizer has gone, but it still runs. */
  @Test
  void aPodThatStillStopsHoldsItsIndexWhereOnlyStoppedPodsAreReplaced() {
    EngineWorld world = new EngineWorld(TestJobs.job("{}"));
    PodView pod = world.edit(onlyPod(world), PodPhase.Running, false, true, true, List.of());
    Ledger ledger = Ledger.of(perIndex(true), List.of(pod));
    assertThat(ledger.hasLive(0)).isTrue();
    assertThat(ledger.occupiedIndexes()).isEqualTo(IndexSet.of(0));
    ledger.remove(pod.uid());
    assertThat(ledger.hasLive(0)).isFalse();
    assertThat(ledger.occupiedIndexes()).isEqualTo(IndexSet.EMPTY);
    assertThat(Ledger.of(perIndex(false), List.of(pod)).hasLive(0)).isFalse();
    PodView active = onlyPod(new EngineWorld(TestJobs.job("{}")));
    assertThat(Ledger.of(perIndex(false), List.of(active)).hasLive(0)).isTrue();
  }

  @Test
  void aDeletedPodThatSucceedsIsNotTriedAgain() {
    EngineWorld world = new EngineWorld(TestJobs.job("{}"));
    PodView deleted = onlyPod(world).asDeleting();
    Ledger ledger = Ledger.of(perIndex(false), List.of(deleted));
    assertThat(ledger.retries()).hasSize(1);
    ledger.put(deleted.in(PodPhase.Succeeded));
    assertThat(ledger.retries()).isEmpty();
  }

  @Test
  void aCountedPodDoesNotHoldItsIndex() {
    EngineWorld world = new EngineWorld(TestJobs.job("{}"));
    PodView counted = world.edit(onlyPod(world), PodPhase.Failed, false, false, false, List.of());
    assertThat(Ledger.of(perIndex(false), List.of(counted)).occupiedIndexes())
        .isEqualTo(IndexSet.EMPTY);
  }

  @Test
  void anIndexHasBegunWhileItHasAPod() {
    Ledger.Rules rules =
        new Ledger.Rules(true, false, null, null, EngineOptions.DEFAULT.backoff(), RECREATIONS);
    PodView pod = onlyPod(new EngineWorld(TestJobs.job("{}")));
    Ledger ledger = Ledger.of(rules, List.of(pod));
    assertThat(ledger.begunIndexes()).isEqualTo(IndexSet.of(0));
    ledger.remove(pod.uid());
    assertThat(ledger.begunIndexes()).isEqualTo(IndexSet.EMPTY);
  }

  @Test
  void aFailureIsHandledByARuleAlsoIfThatOnlyCountsIt() {
    Ledger.Rules rules =
        new Ledger.Rules(
            true,
            false,
            null,
            new PodFailurePolicy(List.of(rule(PodFailurePolicy.Action.Count, 1))),
            EngineOptions.DEFAULT.backoff(),
            JobOptions.NONE);
    EngineWorld world = new EngineWorld(TestJobs.job("{}"));
    PodView pod = onlyPod(world);
    Ledger ledger = new Ledger(rules);
    for (int code : new int[] {1, 2}) {
      PodView failed =
          world.edit(
              pod, PodPhase.Failed, true, false, false, List.of(new ContainerExit("main", code)));
      ledger.put(failed);
      assertThat(ledger.handled(failed))
          .isEqualTo(code == 1 ? PodFailurePolicy.Action.Count : null);
    }
    ledger.put(pod);
    assertThat(ledger.handled(pod)).isNull();
  }
}
