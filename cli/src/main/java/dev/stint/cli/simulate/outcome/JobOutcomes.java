package dev.stint.cli.simulate.outcome;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.runtime.SimulatedRuntime.Script;
import dev.stint.runner.spec.ContainerRole;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * The outcomes of the pods of some Jobs in one run. One outcome holds for all containers of a pod,
 * so that a pod of two does not fail twice as often. It depends on the seed, the Job, the index and
 * the number of the attempt alone: the same attempt has the same luck under another policy. One
 * thread.
 */
public final class JobOutcomes implements Script {
  private final OutcomeModels models;
  private final long seed;
  private final Map<String, Integer> attempts = new HashMap<>();
  private final Map<String, Drawn> drawn = new HashMap<>();

  /** An outcome, and the number of containers that are still to share it. */
  private record Drawn(Outcome outcome, int others) {}

  public JobOutcomes(OutcomeModels models, long seed) {
    this.models = models;
    this.seed = seed;
  }

  /** Draws the outcome of the first attempt of a pod; {@code random} is not used. */
  @Override
  public Outcome play(KubeObject pod, RandomGenerator random) {
    return draw(pod, 0);
  }

  @Override
  public Outcome play(ContainerRun run, ContainerRole role, RandomGenerator random) {
    return role == ContainerRole.MAIN
        ? shared(run, containers(run.pod()))
        : Script.super.play(run, role, random);
  }

  private static int containers(KubeObject pod) {
    ArrayNode containers = Json.arrayAt(pod.spec(), "containers");
    return containers == null ? 1 : containers.size();
  }

  private Outcome shared(ContainerRun run, int containers) {
    String attempt = run.pod().uid() + "/" + run.restartCount();
    Drawn before = drawn.get(attempt);
    Drawn now =
        before == null
            ? new Drawn(draw(run.pod(), run.restartCount()), containers - 1)
            : new Drawn(before.outcome(), before.others() - 1);
    if (now.others() == 0) {
      drawn.remove(attempt);
    } else {
      drawn.put(attempt, now);
    }
    return now.outcome();
  }

  private Outcome draw(KubeObject pod, int restarts) {
    String job = Objects.requireNonNullElse(pod.label(Names.JOB_NAME), "");
    @Nullable String index = pod.annotation(Names.COMPLETION_INDEX);
    String place = pod.namespace() + "/" + job + "/" + index;
    int count = attempts.merge(place, 1, Integer::sum);
    int number = index == null ? restarts + 1 : count;
    RandomGenerator luck = new SplittableRandom(mixed(mixed(seed, place.hashCode()), count));
    return models.of(job).draw(number, luck);
  }

  /** Mixes two numbers, so that neighbours have nothing in common. */
  private static long mixed(long one, long other) {
    long sum = (one ^ other) * 0x9E3779B97F4A7C15L;
    return (sum ^ sum >>> 31) * 0xBF58476D1CE4E5B9L;
  }
}
