package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** The pods that count (KEP-2307, Algorithm), even if there are many. */
class TrackedCountsTest {
  /** Of six: one counted before, one listed, one held, two run; one more is wanted. */
  @Test
  @Covers("TR-06")
  void onlyCountedListedAndHeldSuccessesReduceThePodsToCreate() {
    EngineWorld world = new EngineWorld(job("{'completions':6,'parallelism':6}")).settle();
    List<String> uids = world.pods.keySet().stream().sorted().toList();
    String held = uids.get(0);
    String listed = uids.get(1);
    String unlisted = uids.get(2);
    world.finish(held, PodPhase.Succeeded);
    withoutFinalizer(world, listed);
    withoutFinalizer(world, unlisted);
    world.pods.remove(uids.get(3));
    ObjectNode stored = world.status.write().put("succeeded", 1);
    stored.putObject("uncountedTerminatedPods").putArray("succeeded").add(listed);
    world.status = JobStatus.read(stored);
    assertThat(world.plan().create()).hasSize(1);
  }

  private static void withoutFinalizer(EngineWorld world, String uid) {
    PodView pod = Objects.requireNonNull(world.pods.get(uid));
    world.pods.put(uid, world.edit(pod, PodPhase.Succeeded, false, false, false, List.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NonIndexed", "Indexed"})
  @Covers("TR-28")
  void aHundredThousandCompletionsAreCountedExactly(String mode) {
    EngineWorld world =
        new EngineWorld(
            job(
                "{'completionMode':'"
                    + mode
                    + "','completions':100000,'parallelism':5000,'backoffLimit':100000}"));
    int failures = 0;
    for (int wave = 0; !world.status.isFinished() && wave < 60; wave++) {
      world.settle();
      boolean fail = wave == 3;
      for (PodView pod : List.copyOf(world.pods.values())) {
        if (pod.isActive()) {
          world.finish(pod.uid(), fail ? PodPhase.Failed : PodPhase.Succeeded);
          failures += fail ? 1 : 0;
        }
      }
      world.settle().collectStoppedPods();
      if (fail) {
        world.pass(Duration.ofMinutes(10));
      }
    }
    assertThat(world.status.isTrue("Complete")).isTrue();
    assertThat(world.status.succeeded()).isEqualTo(100_000);
    assertThat(world.status.failed()).isEqualTo(failures).isEqualTo(5000);
    assertThat(world.status.uncounted()).isEqualTo(Uncounted.NONE);
    assertThat(world.created).isEqualTo(105_000);
    if (mode.equals("Indexed")) {
      assertThat(world.status.completedIndexes()).hasToString("0-99999");
    }
  }
}
