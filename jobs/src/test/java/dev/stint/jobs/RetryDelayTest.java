package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.ContainerAttemptView.State;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryDelayTest {
  private static final String REST =
      " (the back-off after a failure, 10s by default, doubles with each one in a row)";

  private static ContainerAttemptView attempt(
      @Nullable Integer index, String pod, State state, String finished) {
    Instant end = Instant.parse("2026-01-01T00:00:" + finished + "Z");
    return ContainerAttemptView.unnumbered(index, pod, "main", 0)
        .withNumber(1)
        .withEnd(state == State.FAILED ? 1 : 0, null, "", "", end)
        .withState(state);
  }

  private static String why(JobBuilder job, ContainerAttemptView... attempts) {
    return JobExplanation.of(job.build(), List.of(attempts), List.of()).getFirst();
  }

  @Test
  void failuresInARowDelayTheNextPodOfTheJob() {
    JobBuilder job = JobBuilder.named("hello").spec("'backoffLimit':6").status("'failed':2");
    assertThat(
            why(
                job,
                attempt(null, "a", State.FAILED, "10"),
                attempt(null, "b", State.FAILED, "30")))
        .isEqualTo("the next pod starts at about 2026-01-01T00:00:50Z" + REST);
  }

  @Test
  void theDelayIsThatOfTheControllerIfItIsKnown() {
    KubeObject job =
        JobBuilder.named("hello").spec("'backoffLimit':6").status("'failed':2").build();
    List<ContainerAttemptView> attempts =
        List.of(attempt(null, "a", State.FAILED, "10"), attempt(null, "b", State.FAILED, "30"));
    assertThat(
            JobExplanation.of(
                    job,
                    attempts,
                    List.of(),
                    Optional.of(
                        new ExponentialBackoff(Duration.ofMillis(1500), Duration.ofSeconds(2))))
                .getFirst())
        .isEqualTo(
            "the next pod starts at about 2026-01-01T00:00:32Z (the back-off after a failure, 1.5s"
                + " here, doubles with each one in a row)");
  }

  @Test
  void aJobsOwnDelayGoesBeforeThatOfTheController() {
    JobBuilder job =
        JobBuilder.named("hello")
            .annotation("stint.dev/pod-failure-backoff", "2s, max 1m")
            .spec("'backoffLimit':6")
            .status("'failed':1");
    assertThat(why(job, attempt(null, "a", State.FAILED, "10")))
        .isEqualTo(
            "the next pod starts at about 2026-01-01T00:00:12Z (the back-off after a failure, 2s"
                + " here, doubles with each one in a row)");
    assertThat(JobExplanation.policies(job.build()))
        .contains("stint.dev/pod-failure-backoff 2s, max 1m");
  }

  @Test
  void anotherControllerIgnoresTheDelayOfTheJob() {
    JobBuilder job =
        JobBuilder.named("hello")
            .annotation("stint.dev/pod-failure-backoff", "2s, max 1m")
            .spec("'backoffLimit':6,'managedBy':'example.com/another'")
            .status("'failed':1");
    assertThat(
            JobExplanation.of(
                job.build(), List.of(attempt(null, "a", State.FAILED, "10")), List.of()))
        .contains("the next pod starts at about 2026-01-01T00:00:20Z" + REST);
    assertThat(JobExplanation.policies(job.build()).toString()).doesNotContain("backoff 2s");
  }

  @Test
  void aSuccessEndsTheRow() {
    JobBuilder job =
        JobBuilder.named("hello").spec("'backoffLimit':6").status("'failed':2,'succeeded':1");
    ContainerAttemptView first = attempt(null, "a", State.FAILED, "10");
    ContainerAttemptView last = attempt(null, "c", State.FAILED, "30");
    assertThat(why(job, first, attempt(null, "b", State.SUCCEEDED, "20"), last))
        .isEqualTo("the next pod starts at about 2026-01-01T00:00:40Z" + REST);
    assertThat(why(job, first, last)).isEqualTo("the next pod starts later" + REST);
  }

  @Test
  void eachIndexHasItsOwnDelay() {
    JobBuilder job =
        JobBuilder.indexed("hello")
            .completions(3)
            .spec("'backoffLimitPerIndex':3")
            .status("'failed':3,'completedIndexes':'2','succeeded':1");
    assertThat(
            why(
                job,
                attempt(0, "a", State.FAILED, "01"),
                attempt(0, "b", State.FAILED, "12"),
                attempt(1, "c", State.FAILED, "14"),
                attempt(2, "d", State.FAILED, "00")))
        .isEqualTo("the next pod starts at about 2026-01-01T00:00:24Z" + REST);
  }

  @Test
  void aJobWithActivePodsDoesNotWait() {
    JobBuilder job =
        JobBuilder.named("hello").spec("'backoffLimit':6").status("'failed':1,'active':1");
    assertThat(why(job, attempt(null, "a", State.FAILED, "10")))
        .startsWith("1 pod has failed; more than 6");
  }
}
