package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static dev.stint.testkit.JobsTest.job;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@StintTest
class TestClockTest {
  private static @Nullable String seen;

  @Test
  void failedPodsAreReplacedAfterTheirBackOff(Jobs jobs, PodScript pods, TestClock clock) {
    pods.everyPod().exits(7);
    TestJob bad = jobs.apply(job("bad", "  backoffLimit: 2\n"));
    assertThat(bad).isNotFinished().hasFailed(1);
    clock.advance(9, SECONDS);
    assertThat(bad).hasFailed(1);
    clock.advance(1, SECONDS);
    assertThat(bad).hasFailed(2);
    clock.advance(20, SECONDS);
    assertThat(bad).failedWithReason("BackoffLimitExceeded").hasFailed(3);
  }

  @Test
  void finishedJobsAreDeletedAfterTheirTimeToLive(Jobs jobs, TestClock clock) {
    jobs.apply(job("brief", "  ttlSecondsAfterFinished: 3600\n"));
    clock.advance(59, MINUTES);
    assertThat(jobs.all()).hasSize(1);
    clock.advance(1, MINUTES);
    assertThat(jobs.all()).isEmpty();
  }

  @Test
  void deadlinesPass(Jobs jobs, PodScript pods, TestClock clock) {
    pods.everyPod().neverEnds();
    TestJob late = jobs.apply(job("late", "  activeDeadlineSeconds: 600\n"));
    clock.advance(Duration.ofMinutes(10));
    assertThat(late).failedWithReason("DeadlineExceeded").hasActive(0);
  }

  @Test
  void cronJobsMakeTheirJobsOnTime(Jobs jobs, TestClock clock) {
    jobs.applyAll(
        """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: hourly}
        spec:
          schedule: "0 * * * *"
          jobTemplate:
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: none
        """);
    clock.advance(59, MINUTES);
    assertThat(jobs.all()).isEmpty();
    clock.advance(2, HOURS);
    assertThat(jobs.all()).hasSize(2).allSatisfy(made -> assertThat(made).isComplete());
  }

  @Test
  void waitingForAJobAdvancesTime(Jobs jobs, PodScript pods, TestClock clock) {
    Instant start = clock.instant();
    pods.everyPod().runsFor(45, MINUTES);
    pods.everyPod().attempt(1).exits(1);
    assertThat(jobs.apply(job("long", "")).awaitFinished()).isComplete().hasFailed(1);
    assertThat(Duration.between(start, clock.instant()))
        .isBetween(Duration.ofMinutes(90), Duration.ofMinutes(91));
  }

  @Test
  void waitingForASuspendedJobDoesNotAdvanceTime(Jobs jobs, TestClock clock) {
    Instant start = clock.instant();
    TestJob held = jobs.apply(job("held", "  suspend: true\n"));
    Thread.ofVirtual().start(() -> jobs.apply(job("held", "  suspend: false\n")));
    assertThat(held.awaitFinished()).isComplete();
    assertThat(clock.instant()).isEqualTo(start);
  }

  @RepeatedTest(2)
  void everyControlPlaneBehavesTheSame(Jobs jobs, PodScript pods) {
    pods.otherwise(
        (pod, random) -> new Outcome(Duration.ofSeconds(random.nextInt(100)), random.nextInt(3)));
    TestJob job =
        jobs.apply(
            job(
                "lottery",
                """
                  completionMode: Indexed
                  completions: 20
                  parallelism: 7
                  backoffLimitPerIndex: 1
                """));
    job.awaitFinished();
    List<String> told = job.events();
    String status = String.valueOf(job.object().status());
    if (seen == null) {
      seen = told + status;
    }
    assertThat(told + status).isEqualTo(seen);
    assertThat(job.pods()).extracting(KubeObject::uid).doesNotHaveDuplicates();
  }

  @Test
  void timeIsNotAdvancedBackwardsOrWithinAScript(Jobs jobs, PodScript pods, TestClock clock) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> clock.advance(-1, SECONDS))
        .withMessageContaining("cannot advance time by");
    clock.advanceTo(Instant.EPOCH);
    assertThat(clock.instant()).hasToString("2026-01-01T00:00:00Z");
  }

  @Test
  @StintTest(start = "2030-06-01T12:00:00Z", seed = 99)
  void timeMayBeginAtAnyTime(TestClock clock) {
    assertThat(clock.instant()).hasToString("2030-06-01T12:00:00Z");
  }
}
