package dev.stint.cli.simulate.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JobOutcomesTest {
  private static final OutcomeModel NUMBERS =
      (attempt, _) -> new Outcome(Duration.ofSeconds(attempt), 0);

  private static KubeObject pod(String job, int index) {
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata").put("namespace", "default");
    metadata.putObject("labels").put(Names.JOB_NAME, job);
    if (index >= 0) {
      metadata.putObject("annotations").put(Names.COMPLETION_INDEX, Integer.toString(index));
    }
    return KubeObject.of(pod);
  }

  private static Outcome play(JobOutcomes outcomes, KubeObject pod) {
    return outcomes.play(pod, new SplittableRandom(0));
  }

  private static JobOutcomes outcomes(OutcomeModel model, long seed) {
    return new JobOutcomes(new OutcomeModels(Map.of(), model), seed);
  }

  @Test
  void attemptsOfAnIndexAreCounted() {
    JobOutcomes outcomes = outcomes(NUMBERS, 1);
    assertThat(
            List.of(
                play(outcomes, pod("a", 0)),
                play(outcomes, pod("a", 1)),
                play(outcomes, pod("a", 0)),
                play(outcomes, pod("b", 0)),
                play(outcomes, pod("c", -1)),
                play(outcomes, pod("c", -1))))
        .extracting(each -> each.duration().toSeconds())
        .containsExactly(1L, 1L, 2L, 1L, 1L, 1L);
  }

  @Test
  void eachJobHasItsModel() {
    OutcomeModel bad = (_, _) -> new Outcome(Duration.ZERO, 1);
    JobOutcomes outcomes = new JobOutcomes(new OutcomeModels(Map.of("b", bad), NUMBERS), 1);
    assertThat(play(outcomes, pod("a", 0)).exitCode()).isZero();
    assertThat(play(outcomes, pod("b", 0)).exitCode()).isEqualTo(1);
  }

  @Test
  void anAttemptHasTheSameLuckInWhateverOrder() {
    OutcomeModel luck = (_, random) -> new Outcome(Duration.ofMillis(random.nextInt(1 << 30)), 0);
    JobOutcomes one = outcomes(luck, 7);
    JobOutcomes other = outcomes(luck, 7);
    List<Outcome> forward = new ArrayList<>();
    List<Outcome> backward = new ArrayList<>();
    IntStream.range(0, 20).forEach(i -> forward.add(play(one, pod("a", i))));
    IntStream.range(0, 20).forEach(i -> backward.addFirst(play(other, pod("a", 19 - i))));
    assertThat(forward).isEqualTo(backward).doesNotHaveDuplicates();
    assertThat(play(outcomes(luck, 8), pod("a", 0))).isNotEqualTo(forward.getFirst());
  }

  @Test
  void luckIsEvenOverIndexesAndSeeds() {
    OutcomeModel tenth =
        new PodModel(0.1, new UniformDuration(Duration.ofSeconds(1), Duration.ZERO), 1);
    long failed =
        IntStream.range(0, 500)
            .mapToLong(seed -> {
              JobOutcomes outcomes = outcomes(tenth, seed);
              return IntStream.range(0, 40)
                  .filter(i -> play(outcomes, pod("report", i)).exitCode() == 1)
                  .count();
            })
            .sum();
    assertThat(failed).isBetween(1850L, 2150L); // 2000 expected, standard deviation 42.
  }
}
