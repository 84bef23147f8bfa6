package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static dev.stint.testkit.JobsTest.job;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

@StintTest
class PodScriptTest {
  private static final String FIVE =
      "  completionMode: Indexed\n  completions: 5\n  parallelism: 5\n  backoffLimitPerIndex: 1\n";

  @Test
  void aFirstAttemptFailsAndTheSecondDoesNot(Jobs jobs, PodScript pods, TestClock clock) {
    pods.onIndex(3).firstAttempt().exits(42);
    TestJob report = jobs.apply(job("report", FIVE));
    assertThat(report).isNotFinished().hasCompletedIndexes("0-2,4").hasActive(0);
    clock.advance(10, SECONDS);
    assertThat(report).isComplete().hasFailed(1);
  }

  @Test
  void runTimesAndExitCodesAreSetSeparately(Jobs jobs, PodScript pods, TestClock clock) {
    pods.onIndexes("1,3-4").exits(1);
    pods.everyPod().runsFor(30, SECONDS);
    pods.onIndex(4).attempt(2).runsFor(5, SECONDS).exits(0);
    TestJob report = jobs.apply(job("report", FIVE));
    clock.advance(29, SECONDS);
    assertThat(report).hasReady(5);
    clock.advance(1, SECONDS);
    assertThat(report).hasCompletedIndexes("0,2").hasActive(0);
    clock.advance(15, SECONDS);
    assertThat(report).hasCompletedIndexes("0,2,4").hasActive(2);
    clock.advance(25, SECONDS);
    assertThat(report).failedWithReason("FailedIndexes").hasFailedIndexes("1,3");
  }

  @Test
  void jobsAreDistinguishedByName(Jobs jobs, PodScript pods) {
    pods.ofJob("bad").exits(1);
    pods.ofJob("slow").neverEnds();
    assertThat(jobs.apply(job("bad", "  backoffLimit: 0\n"))).isFailed();
    assertThat(jobs.apply(job("slow", ""))).hasActive(1);
    assertThat(jobs.apply(job("plain", ""))).isComplete();
    pods.clear();
    assertThat(jobs.apply(job("slow2", ""))).isComplete();
  }

  @Test
  void podsTakeTheirTimeToStop(Jobs jobs, PodScript pods, TestClock clock) {
    pods.everyPod().neverEnds().takesToStop(20, SECONDS);
    TestJob stubborn = jobs.apply(job("stubborn", ""));
    jobs.apply(job("stubborn", "  suspend: true\n"));
    assertThat(stubborn).hasTerminating(1);
    clock.advance(20, SECONDS);
    assertThat(stubborn).isSuspended().hasTerminating(0);
  }

  @Test
  void anExceptionOfTheScriptFailsTheTest(Jobs jobs, PodScript pods) {
    pods.otherwise((pod, random) -> {
      throw new IllegalStateException("not so");
    });
    assertThatThrownBy(() -> jobs.apply(job("report", "  backoffLimit: 0\n")))
        .isInstanceOf(AssertionError.class)
        .hasMessage("the pod script of the test failed: java.lang.IllegalStateException: not so");
    assertThat(jobs.job("report")).isFailed();
  }

  @TestFactory
  Stream<DynamicTest> invalidRulesAreRefused(PodScript pods) {
    return Stream.of(
        refused("exit codes are 0 to 255", () -> pods.everyPod().exits(256)),
        refused("attempts count from 1", () -> pods.everyPod().attempt(0)),
        refused("\"1-\" is not a list of indexes", () -> pods.onIndexes("1-")));
  }

  private static DynamicTest refused(String message, Executable what) {
    return DynamicTest.dynamicTest(
        message,
        () ->
            assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(what::execute)
                .withMessageContaining(message));
  }
}
