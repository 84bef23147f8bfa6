package dev.stint.simulation;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.SimulatedRuntime;
import java.time.Duration;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ObjectNode;

/** Jobs of all shapes, and pods of all fates, by a seed. */
final class RandomJobs {
  private final RandomGenerator random;
  private final double failureRate;
  private final int slowest;

  RandomJobs(RandomGenerator random) {
    this.random = random;
    this.failureRate = pick(0.0, 0.1, 0.3, 0.6);
    this.slowest = pick(1, 20, 300);
  }

  @SafeVarargs
  private <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }

  KubeObject job(String name) {
    ObjectNode job = Json.object();
    job.put("apiVersion", "batch/v1").put("kind", "Job");
    job.putObject("metadata").put("name", name).put("namespace", "default");
    ObjectNode spec = job.putObject("spec");
    int parallelism = random.nextInt(1, 6);
    int completions = random.nextInt(1, 9);
    spec.put("parallelism", parallelism);
    boolean restarts = false;
    switch (random.nextInt(6)) {
      case 0 -> {
        spec.put("completions", completions).put("backoffLimit", random.nextInt(8));
        restarts = random.nextInt(4) == 0;
      }
      case 1 -> spec.put("backoffLimit", random.nextInt(8));
      case 2 -> indexed(spec, completions).put("backoffLimit", random.nextInt(8));
      case 3 -> indexed(spec, parallelism).put("backoffLimit", random.nextInt(8));
      case 4 -> perIndex(indexed(spec, completions), completions);
      default -> policies(indexed(spec, completions), completions);
    }
    if (random.nextInt(4) == 0 && !spec.has("podFailurePolicy")) {
      spec.put("podReplacementPolicy", "Failed");
    }
    if (random.nextInt(8) == 0) {
      spec.put("activeDeadlineSeconds", random.nextInt(1, 600));
    }
    spec.put("suspend", random.nextInt(8) == 0);
    template(spec, restarts);
    return KubeObject.of(job);
  }

  private static ObjectNode indexed(ObjectNode spec, int completions) {
    return spec.put("completionMode", "Indexed").put("completions", completions);
  }

  private void perIndex(ObjectNode spec, int completions) {
    spec.put("backoffLimitPerIndex", random.nextInt(3));
    if (random.nextBoolean()) {
      spec.put("maxFailedIndexes", random.nextInt(completions + 1));
    }
    if (random.nextInt(4) == 0) {
      spec.put("backoffLimit", random.nextInt(8));
    }
  }

  private void policies(ObjectNode spec, int completions) {
    boolean perIndex = random.nextBoolean();
    if (perIndex) {
      perIndex(spec, completions);
    } else {
      spec.put("backoffLimit", random.nextInt(8));
    }
    if (random.nextInt(3) > 0) {
      ObjectNode rule = spec.putObject("successPolicy").putArray("rules").addObject();
      if (random.nextBoolean()) {
        rule.put("succeededCount", random.nextInt(1, completions + 1));
      } else {
        rule.put(
            "succeededIndexes", completions == 1 ? "0" : "0-" + random.nextInt(1, completions));
      }
    }
    if (random.nextInt(3) > 0) {
      var rules = spec.putObject("podFailurePolicy").putArray("rules");
      ObjectNode disrupted = rules.addObject().put("action", "Ignore");
      disrupted
          .putArray("onPodConditions")
          .addObject()
          .put("type", "DisruptionTarget")
          .put("status", "True");
      exitRule(rules.addObject().put("action", "Ignore"), 3, 4);
      exitRule(rules.addObject().put("action", perIndex ? "FailIndex" : "Count"), 5);
      if (random.nextInt(3) == 0) {
        exitRule(rules.addObject().put("action", "FailJob"), 6);
      }
    }
  }

  private static void exitRule(ObjectNode rule, int... codes) {
    ObjectNode exit = rule.putObject("onExitCodes").put("operator", "In");
    var values = exit.putArray("values");
    for (int code : codes) {
      values.add(code);
    }
  }

  private void template(ObjectNode spec, boolean restarts) {
    ObjectNode pod = spec.putObject("template").putObject("spec");
    pod.put("restartPolicy", restarts ? "OnFailure" : "Never");
    pod.put("terminationGracePeriodSeconds", pick(0, 1, 30));
    pod.putArray("containers")
        .addObject()
        .put("name", "main")
        .put("image", "none")
        .putArray("command")
        .add("work");
  }

  /** What becomes of the containers of such Jobs. */
  SimulatedRuntime.Script script() {
    return (pod, dice) -> {
      boolean fails = dice.nextDouble() < failureRate;
      Duration takes = Duration.ofMillis(dice.nextInt(1 + slowest * 1000));
      Duration stopping = Duration.ofMillis(dice.nextLong(3) * dice.nextInt(40_000));
      return new SimulatedRuntime.Outcome(takes, fails ? dice.nextInt(1, 9) : 0, stopping);
    };
  }
}
