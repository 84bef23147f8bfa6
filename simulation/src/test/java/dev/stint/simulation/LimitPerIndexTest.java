package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.stint.cluster.DeleteOptions;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.covers.Covers;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.pod.PodView;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobCondition;
import dev.stint.model.pod.PodPhase;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.simulation.RecordingCluster.Verb;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Backoff limits per index (KEP-3850), from the API to the pods and back.
 *
 * <p>It is slow because the figures of the proposal are those of ten thousand pods.
 */
class LimitPerIndexTest {
  private static final String REGULAR = "'backoffLimit':100000";
  private static final String PER_INDEX = "'backoffLimitPerIndex':10";

  private final Testbed bed = new Testbed();

  private static String indexed(int completions, String limit) {
    return "'completionMode':'Indexed','completions':%1$d,'parallelism':%1$d,%2$s"
        .formatted(completions, limit);
  }

  @Test
  @Covers("BI-23")
  void failedPodsLingerForTheDelayAndOthersDoNot() {
    bed.create("j", indexed(3, PER_INDEX));
    KubeObject failing = bed.pod("j", 0);
    bed.succeed("j", 1).fail("j", 0, 1);
    bed.answer(bed.api.delete(failing.ref(), DeleteOptions.now(failing.uid())));
    bed.pass(Duration.ofMillis(9_900));
    assertThat(bed.views("j").filter(PodView::hasStopped))
        .hasSize(2)
        .allSatisfy(pod -> assertThat(pod.tracked()).isEqualTo(pod.index() == 0));
    assertThat(bed.activeIndexes("j")).containsExactly(2);
    bed.pass(Duration.ofMillis(100));
    assertThat(bed.pods("j")).extracting(KubeObject::uid).doesNotContain(failing.uid());
    assertThat(bed.activeIndexes("j")).containsExactly(0, 2);
  }

  @Test
  @Covers("BI-49")
  void itsUseShowsInSpecStatusAndPodAnnotations() {
    bed.create("j", indexed(2, "'backoffLimitPerIndex':1"));
    bed.create("plain", indexed(2, "'backoffLimit':3"));
    bed.fail("j", 0, 1).fail("plain", 0, 1).pass(Duration.ofSeconds(10));
    bed.fail("j", 0, 1).pass(Duration.ofSeconds(10));
    assertThat(Json.integer(bed.see("j").spec(), "backoffLimitPerIndex")).isEqualTo(1);
    assertThat(Json.text(bed.see("j").status(), "failedIndexes")).isEqualTo("0");
    assertThat(bed.pods("j")).extracting(LimitPerIndexTest::failures).containsOnly("0", "1");
    assertThat(Json.text(bed.see("plain").status(), "failedIndexes")).isNull();
    assertThat(bed.pods("plain")).extracting(LimitPerIndexTest::failures).containsOnly("none");
  }

  private static String failures(KubeObject pod) {
    String count =
        Json.text(Json.objectAt(pod.metadata(), "annotations"), Names.INDEX_FAILURE_COUNT);
    return count == null ? "none" : count;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'backoffLimitPerIndex':1 | 1 | FailedIndexes | 1,3,5,7,9 | 0,2,4,6,8",
        "'backoffLimitPerIndex':0,'maxFailedIndexes':2,'parallelism':1 | 1 "
            + "| MaxFailedIndexesExceeded | 1,3,5 | 0,2,4",
        "'backoffLimitPerIndex':9,'podFailurePolicy':{'rules':[{'action':'FailIndex',"
            + "'onExitCodes':{'operator':'In','values':[42]}}]} | 42 | FailedIndexes "
            + "| 1,3,5,7,9 | 0,2,4,6,8",
      })
  @Covers({"BI-68", "BI-69", "BI-70"})
  void jobsWithIndexesThatFailEndAsTheirPoliciesSay(
      String policy, int exitCode, String reason, String failed, String completed) {
    bed.node((pod, random) ->
        new Outcome(Duration.ofSeconds(1), PodView.of(pod).index() % 2 == 0 ? 0 : exitCode));
    String spec = "'completionMode':'Indexed','completions':10," + policy;
    bed.create("j", policy.contains("parallelism") ? spec : spec + ",'parallelism':10");
    bed.pass(Duration.ofMinutes(5));
    assertThat(bed.conditions("j")).containsExactly("FailureTarget", "Failed");
    assertThat(bed.status("j").conditions()).extracting(JobCondition::reason).containsOnly(reason);
    assertThat(bed.status("j").failedIndexes()).hasToString(failed);
    assertThat(bed.status("j").completedIndexes()).hasToString(completed);
    if (exitCode == 42) {
      assertThat(bed.pods("j")).as("none was tried again").hasSize(10);
    }
  }

  /** {@code BenchmarkLargeIndexedJob}: the API takes the time, at 50 requests a second. */
  @ParameterizedTest
  @ValueSource(ints = {10, 100, 1000})
  @Covers({"BI-51", "BI-53"})
  void indexesThatSucceedTakeNoLongerWithALimitForEach(int indexes) {
    Duration regular = untilStatusAgrees(indexes, REGULAR, PodPhase.Succeeded);
    Duration perIndex = untilStatusAgrees(indexes, PER_INDEX, PodPhase.Succeeded);
    assertThat(perIndex).isLessThanOrEqualTo(regular.multipliedBy(101).dividedBy(100));
  }

  /** {@code BenchmarkLargeFailureHandling}, with a delay of at most 10 ms. */
  @ParameterizedTest
  @ValueSource(ints = {10, 100, 1000})
  @Covers({"BI-52", "BI-53"})
  void indexesThatFailTakeHardlyLongerWithALimitForEach(int indexes) {
    Duration regular = untilStatusAgrees(indexes, REGULAR, PodPhase.Failed);
    Duration perIndex = untilStatusAgrees(indexes, PER_INDEX, PodPhase.Failed);
    assertThat(perIndex).isLessThanOrEqualTo(regular.multipliedBy(150).dividedBy(100));
  }

  /**
   * The figures of the proposal for 10,000 indexes with a limit for each. As there, the controller
   * may make a hundred requests a second, which determines the time; times are those of the API,
   * not of a machine. The allocated bytes are those of the API, its store and the controller
   * together.
   *
   * <p>All indexes fail once before they succeed, so that one Job shows both.
   */
  @Test
  @Covers("BI-54")
  void tenThousandIndexesTakeNoMoreThanInTheReference() {
    int indexes = 10_000;
    Testbed bed = hasty(100);
    Spent started =
        spent(
            bed,
            () -> bed.create("j", indexed(indexes, PER_INDEX)),
            () -> bed.status("j").active() == indexes);
    Spent failed =
        spent(
            bed,
            () -> finish(bed, PodPhase.Failed, 1),
            () -> bed.status("j").failed() == indexes && bed.status("j").active() == indexes);
    assertThat(failed.seconds()).isLessThan(202.37);
    assertThat(failed.gigabytes()).isLessThan(11.19);
    Spent succeeded =
        spent(bed, () -> finish(bed, PodPhase.Succeeded, 0), () -> bed.status("j").isFinished());
    assertThat(bed.status("j").succeeded()).isEqualTo(indexes);
    assertThat(started.seconds() + succeeded.seconds()).isLessThan(223.6);
    assertThat(started.gigabytes() + succeeded.gigabytes()).isLessThan(11.91);
  }

  /** The simulated time and the allocations of a step. */
  private record Spent(double seconds, double gigabytes) {}

  private static Spent spent(Testbed bed, Runnable step, BooleanSupplier done) {
    Instant start = bed.now();
    long allocated = allocated();
    step.run();
    while (!done.getAsBoolean()) {
      bed.pass(Duration.ofMillis(100));
    }
    return new Spent(
        Duration.between(start, bed.now()).toMillis() / 1e3, (allocated() - allocated) / 1e9);
  }

  private static void finish(Testbed bed, PodPhase end, int exitCode) {
    bed.pods("j").stream()
        .filter(pod -> PodView.of(pod).isActive())
        .forEach(pod -> bed.finishQuietly(pod, end, exitCode));
  }

  /** Returns the bytes that this thread allocated; it does all the work. */
  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /** With delays of 10 ms at most, so that only the API takes time. */
  private static Testbed hasty(int requestsPerSecond) {
    JobControllerOptions plain = JobControllerOptions.DEFAULT;
    Duration shortest = Duration.ofMillis(10);
    Testbed bed =
        new Testbed(
            new JobControllerOptions(
                plain.claim(),
                plain.only(),
                plain.gates(),
                new EngineOptions(new ExponentialBackoff(shortest, shortest), 500, 500),
                plain.syncBatchPeriod(),
                plain.concurrentSyncs()));
    bed.calls.requestsPerSecond = requestsPerSecond;
    return bed;
  }

  /**
   * Returns the time from the creation of a Job until its status counts the ends of all its pods.
   */
  private static Duration untilStatusAgrees(int indexes, String limit, PodPhase end) {
    Testbed bed = hasty(50);
    Instant start = bed.now();
    bed.create("j", indexed(indexes, limit));
    while (bed.pods("j").size() < indexes) {
      bed.pass(Duration.ofMillis(100));
    }
    List<KubeObject> pods = bed.pods("j");
    pods.forEach(pod -> bed.finishQuietly(pod, end, end == PodPhase.Failed ? 1 : 0));
    while (bed.status("j").succeeded() + bed.status("j").failed() < indexes) {
      bed.pass(Duration.ofMillis(100));
    }
    assertThat(bed.calls.count(Verb.CREATE, Kind.POD)).isGreaterThanOrEqualTo(indexes);
    return Duration.between(start, bed.now());
  }
}
