package dev.stint.simulation;

import dev.stint.model.job.options.JobOptions;
import java.util.Random;
import java.util.random.RandomGenerator;
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

  /** Returns options that give no Job an annotation. */
  static RandomOptions none() {
    return new RandomOptions(new Random(0), false);
  }

  /** Gives a Job annotations, some of them faulty; in most worlds none. */
  void annotate(ObjectNode job) {
    if (any) {
      annotate(
          job, JobOptions.POD_FAILURE_BACKOFF, "1s, max 5s", "3s, max 1m", "40s, max 10m", "1s");
    }
  }

  private void annotate(ObjectNode job, String name, String... values) {
    if (random.nextBoolean()) {
      job.withObjectProperty("metadata")
          .withObjectProperty("annotations")
          .put(name, values[random.nextInt(values.length)]);
    }
  }
}
