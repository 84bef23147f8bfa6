package dev.stint.engine;

import static dev.stint.engine.TestJobs.annotated;
import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.ContainerMemory;
import dev.stint.engine.pod.PodView;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods that replace those that ran out of memory get more of it, and hand it on. */
class RaisedMemoryTest {
  private static final long MI = 1L << 20;
  private static final Duration DELAY = Duration.ofMinutes(1);
  private static final String PER_INDEX =
      "{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimitPerIndex':4}";

  private static EngineWorld world(String spec) {
    return new EngineWorld(annotated(job(spec), JobOptions.MEMORY_ON_OOM, "x2, max 300Mi"))
        .settle();
  }

  private static List<Long> limits(EngineWorld world) {
    return world.memory.stream()
        .map(memory -> memory.isEmpty() ? 0 : memory.getFirst().limit() / MI)
        .toList();
  }

  @Test
  void theNextAttemptsGetMoreUpToTheMaximum() {
    EngineWorld world = world(PER_INDEX);
    world.exhaust(1, 64 * MI).pass(DELAY);
    world.exhaust(1, 128 * MI).pass(DELAY);
    world.exhaust(1, 256 * MI).pass(DELAY);
    world.exhaust(1, 300 * MI).pass(Duration.ofMinutes(5));
    assertThat(limits(world)).containsExactly(0L, 0L, 128L, 256L, 300L, 300L);
  }

  @Test
  void anotherFailureKeepsWhatThereWas() {
    EngineWorld world = world(PER_INDEX);
    world.exhaust(0, 64 * MI).pass(DELAY);
    world.fail(0, 1).pass(DELAY);
    assertThat(limits(world)).containsExactly(0L, 0L, 128L, 128L);
  }

  @Test
  void otherIndexesGetWhatTheTemplateSays() {
    EngineWorld world = world(PER_INDEX);
    world.exhaust(0, 64 * MI).fail(1, 1).pass(DELAY);
    assertThat(limits(world)).containsExactlyInAnyOrder(0L, 0L, 128L, 0L);
  }

  @Test
  void anIndexOfAJobWithOneLimitForAllGetsMoreToo() {
    EngineWorld world =
        world("{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimit':4}");
    world.exhaust(0, 64 * MI).pass(DELAY);
    assertThat(limits(world)).containsExactly(0L, 0L, 128L);
  }

  @Test
  void podsWithoutAnIndexShareTheLargest() {
    EngineWorld world = world("{'completions':3,'parallelism':2,'backoffLimit':4}");
    world.exhaust(PodView.NO_INDEX, 64 * MI).pass(DELAY);
    world.succeed(PodView.NO_INDEX).pass(DELAY);
    assertThat(limits(world)).containsExactly(0L, 0L, 128L, 128L, 128L);
  }

  @Test
  void thePodFromWhichMemoryFollowsIsKept() {
    List<String> kept = new ArrayList<>();
    for (String keeps : List.of("none", "failed")) {
      JobView job =
          annotated(
              job("{'completions':3,'parallelism':1,'backoffLimit':4}"),
              JobOptions.MEMORY_ON_OOM,
              "x2, max 300Mi",
              JobOptions.KEEP_PODS,
              keeps);
      EngineWorld world = new EngineWorld(job).settle();
      world.exhaust(PodView.NO_INDEX, 64 * MI).pass(DELAY);
      world.succeed(PodView.NO_INDEX).succeed(PodView.NO_INDEX);
      kept.add(keeps + " " + limits(world));
      world.succeed(PodView.NO_INDEX);
      assertThat(world.status.isFinished()).isTrue();
      assertThat(world.pods).hasSize(keeps.equals("none") ? 0 : 1);
    }
    assertThat(kept).containsExactly("none [0, 128, 128, 128]", "failed [0, 128, 128, 128]");
  }

  @Test
  void eachContainerGrowsForItself() {
    EngineWorld world = world(PER_INDEX);
    ContainerMemory main = new ContainerMemory("main", 10 * MI, 20 * MI, true);
    ContainerMemory other = new ContainerMemory("other", 30 * MI, 0, false);
    world.failWith(0, List.of(main, other)).pass(DELAY);
    assertThat(world.memory.getLast())
        .containsExactly(
            new ContainerMemory("main", 20 * MI, 40 * MI, false),
            new ContainerMemory("other", 30 * MI, 0, false));
  }

  private static JobView keepingNone(String spec) {
    return annotated(
        job(spec), JobOptions.MEMORY_ON_OOM, "x2, max 300Mi", JobOptions.KEEP_PODS, "none");
  }

  /**
   * While a Job is suspended, its counted pods go, but not what the next one follows from, nor the
   * success after it, so that it delays nothing.
   */
  @Test
  void memoryIsHandedOnThroughASuspension() {
    String spec = "{'completions':3,'parallelism':2,'backoffLimit':4,'suspend':%b}";
    EngineWorld world = new EngineWorld(keepingNone(spec.formatted(false))).settle();
    has(world, "pod-0", 64 * MI, PodPhase.Failed);
    world.now = world.now.plusSeconds(1);
    world.finish("pod-1", PodPhase.Succeeded); // So no back-off follows from the failure.
    world.job = keepingNone(spec.formatted(true));
    world.settle();
    assertThat(world.pods).containsOnlyKeys("pod-0", "pod-1");
    world.job = keepingNone(spec.formatted(false));
    world.pass(DELAY);
    assertThat(limits(world)).containsExactly(0L, 0L, 128L, 128L);
  }

  @Test
  void aPodOfAnIndexThatHasFailedIsNotKept() {
    EngineWorld world =
        new EngineWorld(
                keepingNone(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                        + "'backoffLimitPerIndex':0}"))
            .settle();
    world.exhaust(1, 64 * MI);
    assertThat(world.pods).containsOnlyKeys("pod-0");
  }

  private static void has(EngineWorld world, String uid, long limit, PodPhase phase) {
    boolean exhausted = phase == PodPhase.Failed;
    ContainerMemory memory = new ContainerMemory("main", 0, limit, exhausted);
    world.finish(uid, phase);
    world.pods.computeIfPresent(uid, (_, pod) -> EngineWorld.with(pod, List.of(memory)));
  }

  private static List<String> handingOn(Ledger ledger) {
    return ledger.all().stream().filter(ledger::handsOnMemory).map(PodView::uid).toList();
  }

  @Test
  void theLargestOfSeveralPodsCounts() {
    EngineWorld world = world("{'completions':3,'parallelism':2,'backoffLimit':4}");
    has(world, "pod-0", 64 * MI, PodPhase.Failed);
    has(world, "pod-1", 32 * MI, PodPhase.Failed);
    Ledger ledger = world.ledger();
    assertThat(ledger.memory(PodView.NO_INDEX))
        .extracting(ContainerMemory::limit)
        .containsExactly(128 * MI);
    assertThat(handingOn(ledger)).containsExactly("pod-0");
  }

  @Test
  void aPodThatRunsHandsItOnRatherThanOneThatHasStopped() {
    EngineWorld world = world("{'completions':3,'parallelism':1,'backoffLimit':4}");
    has(world, "pod-0", 128 * MI, PodPhase.Running);
    world.now = world.now.plus(DELAY);
    world.create(new PodPlan(PodView.NO_INDEX, 0, 0));
    has(world, "pod-1", 64 * MI, PodPhase.Failed);
    assertThat(handingOn(world.ledger())).containsExactly("pod-0");
  }
}
