package dev.stint.engine;

import static dev.stint.engine.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.PodView.Phase;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Which pods count (KEP-2307, Algorithm), also where they are many. */
class TrackedCountsTest {
  private static void untracked(World world, String uid, Phase phase) {
    PodView pod = Objects.requireNonNull(world.pods.get(uid));
    world.pods.put(uid, world.edit(pod, phase, false, false, false, List.of()));
  }

  @Test
  @Covers("TR-06")
  void whatIsStillToCreateDependsOnCountedListedAndHeldSuccessesOnly() {
    World world = new World(job("{'completions':6,'parallelism':6,'backoffLimit':9}")).settle();
    List<String> uids = world.pods.keySet().stream().sorted().toList();
    world.finish(uids.get(0), Phase.Succeeded);
    world.finish(uids.get(1), Phase.Succeeded);
    untracked(world, uids.get(1), Phase.Succeeded);
    world.status =
        new JobStatusOf(world.status).listing(new Uncounted(List.of(uids.get(1)), List.of()), 1);
    assertThat(world.plan().create())
        .as("1 counted, 1 listed, 1 held, 4 run: nothing is left to create")
        .isEmpty();

    untracked(world, uids.get(2), Phase.Succeeded);
    assertThat(world.plan().create())
        .as("a success without finalizer that is not listed does not count")
        .isEmpty();
    world.pods.remove(uids.get(2));
    assertThat(world.plan().create()).isEmpty();
    world.pods.remove(uids.get(3));
    assertThat(world.plan().create()).hasSize(1);
  }

  /** A stored status with other lists and another count. */
  private record JobStatusOf(JobStatus stored) {
    JobStatus listing(Uncounted lists, int succeeded) {
      ObjectNode tree = stored.write();
      tree.put("succeeded", succeeded);
      tree.putObject("uncountedTerminatedPods")
          .putArray("succeeded")
          .add(lists.succeeded().getFirst());
      return JobStatus.read(tree);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NonIndexed", "Indexed"})
  @Covers("TR-28")
  void aHundredThousandCompletionsAreCountedExactly(String mode) {
    World world =
        new World(
            job(
                "{'completionMode':'"
                    + mode
                    + "','completions':100000,'parallelism':5000,'backoffLimit':100000}"));
    int failures = 0;
    for (int wave = 0; !world.status.finished() && wave < 60; wave++) {
      world.settle();
      boolean fail = wave == 3;
      for (PodView pod : List.copyOf(world.pods.values())) {
        if (pod.active()) {
          world.finish(pod.uid(), fail ? Phase.Failed : Phase.Succeeded);
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
