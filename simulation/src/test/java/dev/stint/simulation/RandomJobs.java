package dev.stint.simulation;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.time.Duration;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ObjectNode;

/** Random Jobs and pod outcomes of all kinds, from a seed. */
final class RandomJobs {
  private static final String CONTAINER = "main";

  private final RandomGenerator random;
  private final RandomOptions options;
  private final double failureRate;
  private final int slowest;

  RandomJobs(RandomGenerator random, RandomOptions options) {
    this.random = random;
    this.options = options;
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
    switch (random.nextInt(7)) {
      case 0 -> spec.put("completions", completions);
      case 1 -> {} // A work queue.
      case 2 -> indexed(spec, completions);
      case 3 -> indexed(spec, parallelism); // These may be scaled up and down.
      case 4 -> {
        indexed(spec, completions);
        perIndex(spec, completions);
      }
      default -> {
        indexed(spec, completions);
        if (random.nextBoolean()) {
          perIndex(spec, completions);
        }
        if (random.nextInt(3) > 0) {
          successPolicy(spec, completions);
        }
        if (random.nextInt(3) > 0) {
          failurePolicy(spec);
        }
      }
    }
    if (!spec.has("backoffLimitPerIndex")) {
      spec.put("backoffLimit", random.nextInt(8));
    }
    if (random.nextInt(3) == 0 && !spec.has("podFailurePolicy")) {
      spec.put("podReplacementPolicy", pick("Failed", "Failed", "TerminatingOrFailed"));
    }
    if (random.nextInt(6) == 0) {
      spec.put("activeDeadlineSeconds", random.nextInt(1, pick(20, 100, 600)));
    }
    if (random.nextInt(4) == 0) {
      spec.put("ttlSecondsAfterFinished", pick(0, 10, 1000));
    }
    if (random.nextInt(16) == 0) {
      spec.put("managedBy", pick("example.com/another", "kubernetes.io/job-controller"));
    }
    spec.put("suspend", random.nextInt(8) == 0);
    boolean mayRestart = !spec.has("podFailurePolicy") && !spec.has("backoffLimitPerIndex");
    template(spec, mayRestart && random.nextInt(6) == 0);
    options.annotate(job);
    return KubeObject.of(job);
  }

  private static void indexed(ObjectNode spec, int completions) {
    spec.put("completionMode", "Indexed").put("completions", completions);
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

  private void successPolicy(ObjectNode spec, int completions) {
    var rules = spec.putObject("successPolicy").putArray("rules");
    int count = pick(1, 1, 2, 3);
    for (int i = 0; i < count; i++) {
      ObjectNode rule = rules.addObject();
      int first = random.nextInt(completions);
      int last = random.nextInt(first, completions);
      boolean byCount = random.nextBoolean();
      if (!byCount || random.nextBoolean()) {
        rule.put("succeededIndexes", first == last ? "" + first : first + "-" + last);
      }
      if (byCount) {
        int most = rule.has("succeededIndexes") ? last - first + 1 : completions;
        rule.put("succeededCount", random.nextInt(1, most + 1));
      }
    }
  }

  private void failurePolicy(ObjectNode spec) {
    var rules = spec.putObject("podFailurePolicy").putArray("rules");
    boolean perIndex = spec.has("backoffLimitPerIndex");
    if (random.nextInt(3) > 0) {
      rules
          .addObject()
          .put("action", pick("Ignore", "Ignore", "Count", "FailJob"))
          .putArray("onPodConditions")
          .addObject()
          .put("type", "DisruptionTarget")
          .put("status", "True");
    }
    if (random.nextBoolean()) {
      exitRule(rules.addObject().put("action", "Ignore"), "In", 3, 4);
    }
    if (random.nextBoolean()) {
      exitRule(rules.addObject().put("action", perIndex ? "FailIndex" : "Count"), "In", 5);
    }
    if (random.nextInt(3) == 0) {
      exitRule(rules.addObject().put("action", "FailJob"), "In", 6);
    }
    if (random.nextInt(6) == 0) {
      String action = perIndex ? pick("FailIndex", "FailJob") : "FailJob";
      exitRule(rules.addObject().put("action", action), "NotIn", 1, 2, 3, 4);
    }
    if (rules.isEmpty()) {
      exitRule(rules.addObject().put("action", "Count"), "In", 1);
    }
  }

  private static void exitRule(ObjectNode rule, String operator, int... codes) {
    ObjectNode exit = rule.putObject("onExitCodes").put("operator", operator);
    if (codes.length == 1) {
      exit.put("containerName", CONTAINER);
    }
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
        .put("name", CONTAINER)
        .put("image", "none")
        .putArray("command")
        .add("work");
  }

  /** The behavior of the containers of such Jobs. */
  SimulatedRuntime.Script script() {
    return (pod, dice) -> {
      boolean fails = dice.nextDouble() < failureRate;
      Duration takes = Duration.ofMillis(dice.nextInt(1 + slowest * 1000));
      Duration stopping = Duration.ofMillis(dice.nextInt(3)).multipliedBy(dice.nextInt(40_000));
      int code = fails ? dice.nextInt(1, 9) : 0;
      SimulatedRuntime.Outcome plain = new SimulatedRuntime.Outcome(takes, code, stopping);
      SimulatedRuntime.Outcome outcome =
          pod.annotation(RandomOptions.STOPS_WELL) == null ? plain : plain.stoppingWell();
      return code > 4 && Oracle.memory(pod) > 0 ? outcome.exhausted() : outcome;
    };
  }
}
