package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random Jobs, random outcomes, and a controller that dies after a random step of its plans: the
 * counts are right in the end, and the conditions follow the rules of the proposals at every write.
 */
class CrashTest {
  private static final int SEEDS = 150;

  @ParameterizedTest
  @ValueSource(strings = {"NonIndexed", "Indexed", "PerIndex", "Policies"})
  @Covers({"TR-12", "TR-11", "TR-18", "TR-44", "SP-19", "SP-20", "MB-14", "MB-15"})
  void countsAreRightHoweverOftenTheControllerDies(String shape) {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        play(shape, new Random(seed));
      } catch (AssertionError wrong) {
        throw new AssertionError(
            "shape " + shape + ", seed " + seed + ": " + wrong.getMessage(), wrong);
      }
    }
  }

  private static void play(String shape, Random random) {
    EngineWorld world = new EngineWorld(TestJobs.job(spec(shape, random)));
    world.options =
        new EngineOptions(
            new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(10)),
            random.nextInt(1, 6),
            random.nextInt(1, 6));
    world.deletedPodsVanish = random.nextBoolean();
    boolean delayed = random.nextInt(4) > 0;
    world.gates =
        FeatureGates.DEFAULT
            .with(Gate.JobManagedBy, delayed)
            .with(Gate.JobPodReplacementPolicy, delayed);
    for (int step = 0; step < 2000 && !world.status.isFinished(); step++) {
      switch (random.nextInt(6)) {
        case 0, 1 -> world.finishAny(random, 0.3);
        case 2 -> world.syncAndDieAfter(random.nextInt(8));
        case 3 -> world.now = world.now.plusSeconds(random.nextInt(20));
        case 4 -> world.stopDeletedPods();
        default -> world.sync();
      }
      if (random.nextInt(10) == 0) {
        world.collectStoppedPods();
      }
      checkCap(world);
    }
    assertThat(world.status.isFinished()).as("the Job ends").isTrue();
    world.settle();
    world.stopDeletedPods();
    world.settle();
    checkEnd(world);
    checkHistory(world);
  }

  private static String spec(String shape, Random random) {
    int completions = random.nextInt(1, 12);
    int parallelism = random.nextInt(1, 6);
    String common = "'completions':" + completions + ",'parallelism':" + parallelism;
    return switch (shape) {
      case "NonIndexed" -> "{" + common + ",'backoffLimit':" + random.nextInt(20) + "}";
      case "Indexed" ->
          "{" + common + ",'completionMode':'Indexed','backoffLimit':" + random.nextInt(20) + "}";
      case "PerIndex" ->
          "{"
              + common
              + ",'completionMode':'Indexed','backoffLimitPerIndex':"
              + random.nextInt(3)
              + (random.nextBoolean()
                  ? ",'maxFailedIndexes':" + random.nextInt(completions + 1)
                  : "")
              + "}";
      default ->
          "{"
              + common
              + ",'completionMode':'Indexed','backoffLimitPerIndex':2"
              + ",'successPolicy':{'rules':[{'succeededCount':"
              + random.nextInt(1, completions + 1)
              + "}]},'podFailurePolicy':{'rules':["
              + "{'action':'Ignore','onExitCodes':{'operator':'In','values':[1,2,3,4,5]}},"
              + "{'action':'FailIndex','onExitCodes':{'operator':'In','values':[6,7,8]}}]}}";
    };
  }

  private static void checkCap(EngineWorld world) {
    JobStatus.Uncounted lists = world.status.uncounted();
    if (lists != null) {
      assertThat(lists.succeeded().size() + lists.failed().size())
          .isLessThanOrEqualTo(world.options.maxUncountedPods());
    }
  }

  private static void checkEnd(EngineWorld world) {
    JobStatus status = world.status;
    assertThat(world.anyTracked()).as("no finalizer is left").isFalse();
    assertThat(status.active()).isZero();
    assertThat(status.uncounted()).isEqualTo(JobStatus.Uncounted.NONE);
    if (world.job.spec().isIndexed()) {
      assertThat(status.succeeded()).isEqualTo(status.completedIndexes().size());
      IndexSet failed = status.failedIndexes() == null ? IndexSet.EMPTY : status.failedIndexes();
      assertThat(status.completedIndexes().intersectionSize(failed)).isZero();
    }
    if (status.isTrue(JobCondition.COMPLETE) && reason(status).equals("CompletionsReached")) {
      assertThat(status.succeeded()).isEqualTo(world.job.spec().completions());
      if (world.job.spec().podFailurePolicy() == null) {
        assertThat(status.succeeded() + status.failed())
            .as("every pod is counted once")
            .isEqualTo(world.created);
      }
    }
    if (status.isTrue(JobCondition.FAILED) && world.job.spec().podFailurePolicy() == null) {
      assertThat(status.succeeded() + status.failed())
          .as("every pod is counted once")
          .isEqualTo(world.created);
    }
  }

  private static String reason(JobStatus status) {
    return status.condition(JobCondition.COMPLETE).orElseThrow().reason();
  }

  /**
   * No condition flips, the interim condition comes in an earlier write than the final one, and
   * counters never decrease.
   */
  private static void checkHistory(EngineWorld world) {
    JobStatus before = JobStatus.EMPTY;
    for (JobStatus after : world.statuses) {
      assertThat(after.failed()).isGreaterThanOrEqualTo(before.failed());
      assertThat(after.succeeded()).isGreaterThanOrEqualTo(before.succeeded());
      assertThat(after.completedIndexes().containsAll(before.completedIndexes())).isTrue();
      for (JobCondition condition : before.conditions()) {
        assertThat(after.isTrue(condition.type())).isTrue();
      }
      if (world.gates.has(Gate.JobManagedBy)) {
        checkOrder(before, after);
      }
      assertThat(
              after.isTrue(JobCondition.SUCCESS_CRITERIA_MET)
                  && after.isTrue(JobCondition.FAILURE_TARGET))
          .as("%s", after)
          .isFalse();
      before = after;
    }
  }

  private static void checkOrder(JobStatus before, JobStatus after) {
    if (after.isTrue(JobCondition.COMPLETE)) {
      assertThat(before.isTrue(JobCondition.SUCCESS_CRITERIA_MET)).isTrue();
      assertThat(after.completionTime()).isNotNull();
    }
    if (after.isTrue(JobCondition.FAILED)) {
      assertThat(before.isTrue(JobCondition.FAILURE_TARGET)).isTrue();
      assertThat(after.completionTime()).isNull();
    }
  }
}
