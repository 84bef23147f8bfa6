package dev.stint.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.follow.RunEnd;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.jobs.JobChanges;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class JobsInterruptionTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());

  @Test
  void theEndOfTheCommandEndsTheWaitForPodsOfAReplacedJob() {
    cluster.add(JobBuilder.named("a"));
    RunEnd end = new RunEnd();
    end.set(new RunEnd.Reason.Signalled("INT"));
    JobsInterruption interruption = new JobsInterruption(cluster);
    assertThatThrownBy(
            () -> interruption.interruptFirst(TestWorld.job("a"), (_, _) -> () -> {}, end))
        .isInstanceOf(RunEnd.EndedEarly.class);
    KubeObject job = Objects.requireNonNull(cluster.peek(TestWorld.job("a")));
    assertThat(JobChanges.isSuspended(job)).as("no controller has ended its pods").isTrue();
  }
}
