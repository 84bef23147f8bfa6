package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.jobs.JobInterruption;
import dev.stint.runner.process.user.Surroundings;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClaimedJobsTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private final ClaimedJobs jobs = new ClaimedJobs();

  ClaimedJobsTest() {
    jobs.add(
        List.of(
            new JobClaim("default", "gone", "run", false, Surroundings.ofThisProcess(Map.of())),
            new JobClaim("default", "a", "run", false, Surroundings.ofThisProcess(Map.of()))));
    cluster.add(JobBuilder.named("a"));
    JobInterruption.begin(cluster, TestWorld.job("a"));
  }

  private boolean isInterrupted() {
    assertThat(jobs.resume(cluster)).isCompleted();
    return JobInterruption.isInterrupted(Objects.requireNonNull(cluster.peek(TestWorld.job("a"))));
  }

  @Test
  void jobsThatAHolderHasInterruptedGoOn() {
    jobs.onSubmission(cluster);
    assertThat(isInterrupted()).isFalse();
  }

  @Test
  void jobsThatAHolderHasInterruptedBeforeAllWereSubmittedGoOnThen() {
    assertThat(isInterrupted()).isTrue();
    assertThat(jobs.onSubmission(cluster)).isCompleted();
    assertThat(
            JobInterruption.isInterrupted(Objects.requireNonNull(cluster.peek(TestWorld.job("a")))))
        .isFalse();
  }

  @Test
  void jobsAreNotResumedBeforeTheyAreSubmitted() {
    assertThat(isInterrupted()).isTrue();
  }

  @Test
  void jobsThatTheirCommandInterruptsStaySo() {
    jobs.onSubmission(cluster);
    jobs.onInterruption();
    assertThat(isInterrupted()).isTrue();
  }

  @Test
  void aClaimOfAnotherCommandMayPassAndAFaultDoesNot() {
    assertThat(ClaimedJobs.mayPass(new ClusterException(Reason.CONFLICT, "taken"))).isTrue();
    assertThat(ClaimedJobs.mayPass(new ClusterException(Reason.FORBIDDEN, "no"))).isFalse();
  }
}
