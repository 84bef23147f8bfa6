package dev.stint.cli.simulate;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.runtime.SimulatedRuntime.Script;
import dev.stint.runner.spec.ContainerRole;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ArrayNode;

/**
 * Draws one outcome for all containers of a pod, so that a pod of two does not fail twice as often.
 * One thread.
 */
final class PodWideOutcomes implements Script {
  private final PodModel model;
  private final Map<String, Drawn> drawn = new HashMap<>();

  /** An outcome, and the number of containers that are still to share it. */
  private record Drawn(Outcome outcome, int others) {}

  PodWideOutcomes(PodModel model) {
    this.model = model;
  }

  @Override
  public Outcome play(KubeObject pod, RandomGenerator random) {
    return model.play(pod, random);
  }

  @Override
  public Outcome play(ContainerRun run, ContainerRole role, RandomGenerator random) {
    int containers = containers(run.pod());
    return role == ContainerRole.MAIN && containers > 1
        ? shared(run, containers, random)
        : Script.super.play(run, role, random);
  }

  private static int containers(KubeObject pod) {
    ArrayNode containers = Json.arrayAt(pod.spec(), "containers");
    return containers == null ? 0 : containers.size();
  }

  private Outcome shared(ContainerRun run, int containers, RandomGenerator random) {
    String attempt = run.pod().uid() + "/" + run.restartCount();
    Drawn before = drawn.get(attempt);
    Drawn now =
        before == null
            ? new Drawn(play(run.pod(), random), containers - 1)
            : new Drawn(before.outcome(), before.others() - 1);
    if (now.others() == 0) {
      drawn.remove(attempt);
    } else {
      drawn.put(attempt, now);
    }
    return now.outcome();
  }
}
