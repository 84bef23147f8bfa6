package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class JobInterruptionTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());

  private KubeObject job() {
    return TestJobs.see(cluster);
  }

  private CompletableFuture<?> awaitEnd() {
    return JobInterruption.awaitEnd(
        cluster, TestWorld.job("a"), (_, _) -> () -> {}, new SplittableRandom(1));
  }

  /** Reads the Job of these tests. */
  private static final class TestJobs {
    private static KubeObject see(FakeCluster cluster) {
      return java.util.Objects.requireNonNull(cluster.peek(TestWorld.job("a")));
    }
  }

  private void status(String status) {
    cluster.patchStatus(TestWorld.job("a"), Json.parse(status.replace('\'', '"'))).join();
  }

  @Test
  void anInterruptedJobIsSuspendedAndSaysSo() {
    cluster.add(JobBuilder.named("a"));
    JobInterruption.begin(cluster, TestWorld.job("a"));
    assertThat(JobChanges.isSuspended(job())).isTrue();
    assertThat(JobState.of(job())).isEqualTo(JobState.INTERRUPTED);
    KubeObject resumed = JobInterruption.resume(cluster, job());
    assertThat(JobChanges.isSuspended(resumed)).isFalse();
    assertThat(resumed.annotation(RunAnnotations.INTERRUPTED)).isNull();
  }

  @Test
  void anEditRemovesTheMarkOfAJobThatWasResumedWithoutIt() {
    cluster.add(JobBuilder.named("a"));
    JobInterruption.begin(cluster, TestWorld.job("a"));
    JobEdit interrupted = JobEdit.none(job(), FeatureGates.DEFAULT);
    assertThat(JobInterruption.withoutMark(interrupted)).isEqualTo(interrupted);
    cluster.patch(TestWorld.job("a"), Json.parse("{\"spec\": {\"suspend\": false}}")).join();
    KubeObject cleared =
        JobInterruption.withoutMark(JobEdit.none(job(), FeatureGates.DEFAULT)).apply(cluster);
    assertThat(cleared.annotation(RunAnnotations.INTERRUPTED)).isNull();
  }

  @Test
  void aJobThatAUserHasSuspendedStaysSo() {
    cluster.add(JobBuilder.named("a"));
    JobChanges.suspend(cluster, job(), true);
    JobInterruption.begin(cluster, TestWorld.job("a"));
    assertThat(JobState.of(job())).isEqualTo(JobState.SUSPENDED);
    assertThat(JobChanges.isSuspended(JobInterruption.resume(cluster, job()))).isTrue();
  }

  @Test
  void aMissingOrFinishedJobIsLeftAlone() {
    JobInterruption.begin(cluster, TestWorld.job("a"));
    cluster.add(JobBuilder.named("a"));
    status("{'status':{'conditions':[{'type':'Complete','status':'True'}]}}");
    JobInterruption.begin(cluster, TestWorld.job("a"));
    assertThat(JobChanges.isSuspended(job())).isFalse();
    assertThat(awaitEnd()).isCompleted();
  }

  @Test
  void itIsOverWhenNoPodRuns() {
    cluster.add(JobBuilder.named("a"));
    JobInterruption.begin(cluster, TestWorld.job("a"));
    CompletableFuture<?> over = awaitEnd();
    status("{'status':{'active':2}}");
    assertThat(over).isNotDone();
    status(
        "{'status':{'active':0,'terminating':2,'conditions':[{'type':'Suspended','status':'True'}]}}");
    assertThat(over).isNotDone();
    status("{'status':{'terminating':0}}");
    assertThat(over).isCompleted();
  }

  @Test
  void aDeletedJobIsOver() {
    assertThat(awaitEnd()).isCompleted();
  }
}
