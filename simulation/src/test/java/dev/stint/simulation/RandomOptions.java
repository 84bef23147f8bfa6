package dev.stint.simulation;

import dev.stint.model.Json;
import dev.stint.model.job.options.JobOptions;
import java.util.Random;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random annotations of Jobs, from a seed of their own, so that a world without any is the same as
 * before there were annotations.
 */
final class RandomOptions {
  private final RandomGenerator random;
  private final boolean any;

  RandomOptions(RandomGenerator random) {
    this(random, random.nextInt(3) == 0);
  }

  private RandomOptions(RandomGenerator random, boolean any) {
    this.random = random;
    this.any = any;
  }

  /** Returns options that give most Jobs annotations. */
  static RandomOptions many(RandomGenerator random) {
    return new RandomOptions(random, true);
  }

  /** Returns options that give no Job an annotation. */
  static RandomOptions none() {
    return new RandomOptions(new Random(0), false);
  }

  /** Gives a Job annotations, some of them (the last values) faulty; in most worlds none. */
  void annotate(ObjectNode job) {
    if (!any) {
      return;
    }
    annotate(job, JobOptions.POD_FAILURE_BACKOFF, "1s, max 5s", "3s, max 1m", "40s, max 10m", "1s");
    annotate(job, JobOptions.KEEP_PODS, "failed", "none", "1", "3", "some");
    if (annotate(job, JobOptions.STARTUP_DEADLINE, "1s", "5s", "30s", "5m", "0s")) {
      mayNeverStart(job);
    }
  }

  /** Returns true if the Job has the annotation now, with a value that is sound. */
  private boolean annotate(ObjectNode job, String name, String... values) {
    int chosen = random.nextInt(2 * values.length);
    if (chosen >= values.length) {
      return false;
    }
    job.withObjectProperty("metadata").withObjectProperty("annotations").put(name, values[chosen]);
    return chosen < values.length - 1;
  }

  /**
   * Lets the pods of some Jobs ask for what the node never has: of Jobs that end by their failures,
   * even with a gate off.
   */
  private void mayNeverStart(ObjectNode job) {
    if (random.nextInt(4) == 0 && job.path("spec").has("backoffLimit")) {
      ObjectNode resources = Json.object();
      resources.putObject("limits").put("example.com/none", "1");
      JsonNode containers = job.at("/spec/template/spec/containers");
      ((ObjectNode) containers.get(0)).set("resources", resources);
    }
  }
}
