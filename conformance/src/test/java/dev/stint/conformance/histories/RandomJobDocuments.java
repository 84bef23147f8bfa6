package dev.stint.conformance.histories;

import dev.stint.model.Json;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Small random Jobs of all kinds. */
final class RandomJobDocuments {
  private final RandomGenerator random;

  RandomJobDocuments(RandomGenerator random) {
    this.random = random;
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private int pick(int... values) {
    return values[random.nextInt(values.length)];
  }

  private String pick(String... values) {
    return values[random.nextInt(values.length)];
  }

  ObjectNode next() {
    ObjectNode job = Json.object().put("apiVersion", "batch/v1").put("kind", "Job");
    ObjectNode spec = job.putObject("spec");
    boolean restarts = one(8);
    int completions = random.nextInt(1, 6);
    int parallelism = random.nextInt(1, 5);
    spec.put("parallelism", parallelism);
    if (one(4)) {
      counted(spec, completions);
    } else {
      indexed(spec, one(3) ? parallelism : completions, restarts);
    }
    if (!spec.has("backoffLimitPerIndex") || one(4)) {
      spec.put("backoffLimit", pick(0, 0, 1, 1, 2, 3, 6));
    }
    boolean twoContainers = one(6);
    if (!restarts && one(3)) {
      failurePolicy(spec, twoContainers);
    }
    if (!restarts && one(3)) {
      spec.put(
          "podReplacementPolicy",
          spec.has("podFailurePolicy") ? "Failed" : pick("Failed", "TerminatingOrFailed"));
    }
    limits(spec);
    template(spec, restarts, twoContainers);
    return job;
  }

  private void counted(ObjectNode spec, int completions) {
    if (one(3)) {
      return; // A work queue.
    }
    spec.put("completions", completions);
    if (one(3)) {
      spec.put("completionMode", "NonIndexed");
    }
  }

  private void indexed(ObjectNode spec, int completions, boolean restarts) {
    spec.put("completionMode", "Indexed").put("completions", completions);
    if (!restarts && one(2)) {
      spec.put("backoffLimitPerIndex", pick(0, 0, 1, 1, 2));
      if (one(2)) {
        spec.put("maxFailedIndexes", random.nextInt(completions + 1));
      }
    }
    if (one(3)) {
      successPolicy(spec, completions);
    }
  }

  private void successPolicy(ObjectNode spec, int completions) {
    ArrayNode rules = spec.putObject("successPolicy").putArray("rules");
    for (int count = pick(1, 1, 2, 3); count > 0; count--) {
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

  private void failurePolicy(ObjectNode spec, boolean twoContainers) {
    ArrayNode rules = spec.putObject("podFailurePolicy").putArray("rules");
    boolean perIndex = spec.has("backoffLimitPerIndex");
    if (one(2)) {
      ArrayNode conditions =
          rules
              .addObject()
              .put("action", pick("Ignore", "Ignore", "Count", "FailJob"))
              .putArray("onPodConditions");
      conditions.addObject().put("type", "DisruptionTarget").put("status", "True");
      if (one(4)) {
        conditions.addObject().put("type", "example.com/Broken").put("status", "True");
      }
    }
    for (int count = pick(1, 2, 3); count > 0; count--) {
      String action = pick("Ignore", "Count", "FailJob", perIndex ? "FailIndex" : "Ignore");
      ObjectNode exit = rules.addObject().put("action", action).putObject("onExitCodes");
      if (twoContainers && random.nextBoolean()) {
        exit.put("containerName", pick("main", "aux"));
      }
      exit.put("operator", one(4) ? "NotIn" : "In");
      int code = random.nextInt(1, 4);
      exit.putArray("values").add(code).add(code + random.nextInt(1, 3));
    }
  }

  private void limits(ObjectNode spec) {
    if (one(12)) {
      spec.put("activeDeadlineSeconds", random.nextInt(12, 30));
    }
    if (one(12)) {
      spec.put("ttlSecondsAfterFinished", pick(0, 0, 6));
    }
    if (one(8)) {
      spec.put("suspend", true);
    }
    if (one(40)) {
      spec.put("managedBy", pick("kubernetes.io/job-controller", "example.com/another"));
    }
  }

  private void template(ObjectNode spec, boolean restarts, boolean twoContainers) {
    ObjectNode template = spec.putObject("template");
    if (one(10)) {
      template.putObject("metadata").putArray("finalizers").add(PodText.FOREIGN_FINALIZER);
    }
    if (one(10)) {
      template.withObjectProperty("metadata").putObject("labels").put("example.com/team", "oracle");
    }
    ObjectNode pod = template.putObject("spec");
    pod.put("restartPolicy", restarts ? "OnFailure" : "Never");
    pod.put("terminationGracePeriodSeconds", 1);
    if (!one(6)) {
      pod.put("nodeName", "node-1");
    }
    ArrayNode containers = pod.putArray("containers");
    containers.addObject().put("name", "main").put("image", "none");
    if (twoContainers) {
      containers.addObject().put("name", "aux").put("image", "none");
    }
  }
}
