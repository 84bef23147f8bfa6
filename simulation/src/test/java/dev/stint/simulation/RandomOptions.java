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
  /** The annotation of pods whose containers exit with 0 when they are asked to end. */
  static final String STOPS_WELL = "simulation/stops-well";

  /** The first world that may have newer annotations: those before it find older mutations. */
  private static final long FIRST_LATER = 40;

  private final RandomGenerator random;
  private final boolean any;

  /** Chooses newer annotations, so that worlds without any of them stay the same, too. */
  private final RandomGenerator later;

  private final boolean anyLater;

  RandomOptions(long seed) {
    this.random = new Random(~seed);
    this.any = random.nextInt(3) == 0;
    this.later = new Random(~seed * 31);
    this.anyLater = later.nextInt(3) == 0 && seed >= FIRST_LATER;
  }

  private RandomOptions(RandomGenerator random, boolean any) {
    this.random = random;
    this.any = any;
    this.later = random;
    this.anyLater = any;
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
    if (any) {
      annotateEarly(job);
    }
    if (anyLater) {
      annotateLate(job);
    }
  }

  private void annotateLate(ObjectNode job) {
    if (annotate(later, job, JobOptions.MEMORY_ON_OOM, "x2, max 256Mi", "x1.5, max 100Mi", "x2")) {
      mayRunOutOfMemory(job);
    }
    if (annotate(later, job, JobOptions.EVICTED_IS_NOT_DONE, "true", "true", "yes")) {
      stopsWell(job);
    }
    boolean mayRestart = job.at("/spec/podFailurePolicy").isMissingNode();
    if (mayRestart
        && job.path("spec").has("backoffLimitPerIndex")
        && annotate(later, job, JobOptions.RESTARTS_PER_INDEX, "true", "true", "yes")) {
      ((ObjectNode) job.at("/spec/template/spec")).put("restartPolicy", "OnFailure");
    }
    annotate(later, job, JobOptions.SUCCESS_PERCENTAGE, "50%", "75", "1%", "100%", "0%");
    annotate(later, job, JobOptions.SUCCESS_COUNT, "1", "2", "3", "none");
    annotate(later, job, JobOptions.SUCCESS_REASON, "EnoughSucceeded", "First, Second", "enough");
    annotate(
        later,
        job,
        JobOptions.LINGER,
        "Continue",
        "ContinueWithRecreations",
        "ContinueWithRecreations",
        "Terminate",
        "continue");
    annotate(later, job, JobOptions.COMPLETE_WITH_FAILED_INDEXES, "true", "true", "false", "some");
  }

  private void annotateEarly(ObjectNode job) {
    annotate(job, JobOptions.POD_FAILURE_BACKOFF, "1s, max 5s", "3s, max 1m", "40s, max 10m", "1s");
    annotate(job, JobOptions.KEEP_PODS, "failed", "none", "1", "3", "some");
    if (annotate(job, JobOptions.STARTUP_DEADLINE, "1s", "5s", "30s", "5m", "0s")) {
      mayNeverStart(job);
    }
  }

  private boolean annotate(ObjectNode job, String name, String... values) {
    return annotate(random, job, name, values);
  }

  /** Returns true if the Job has the annotation now, with a value that is sound. */
  private static boolean annotate(
      RandomGenerator random, ObjectNode job, String name, String... values) {
    int chosen = random.nextInt(2 * values.length);
    if (chosen >= values.length) {
      return false;
    }
    job.withObjectProperty("metadata").withObjectProperty("annotations").put(name, values[chosen]);
    return chosen < values.length - 1;
  }

  /** Gives the containers a limit of memory that they may exceed ({@link RandomJobs#script}). */
  private static void mayRunOutOfMemory(ObjectNode job) {
    container(job)
        .withObjectProperty("resources")
        .withObjectProperty("limits")
        .put("memory", "64Mi");
  }

  /** Lets the containers exit with 0 when they are asked to end ({@link RandomJobs#script}). */
  private static void stopsWell(ObjectNode job) {
    ((ObjectNode) job.at("/spec/template"))
        .withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put(STOPS_WELL, "true");
  }

  private static ObjectNode container(ObjectNode job) {
    return (ObjectNode) job.at("/spec/template/spec/containers").get(0);
  }

  /**
   * Lets the pods of some Jobs ask for what the node never has: of Jobs that end by their failures,
   * even with a gate off.
   */
  private void mayNeverStart(ObjectNode job) {
    if (random.nextInt(4) == 0 && job.path("spec").has("backoffLimit")) {
      container(job)
          .withObjectProperty("resources")
          .withObjectProperty("limits")
          .put("example.com/none", "1");
    }
  }
}
