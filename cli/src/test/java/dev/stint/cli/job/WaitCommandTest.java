package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.location.TestTargets;
import dev.stint.cli.output.ExitCode;
import dev.stint.cluster.Timers;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class WaitCommandTest {
  @Test
  void aJobThatIsCompleteEarlyLeavesNoWork() {
    KubeObject early =
        JobBuilder.indexed("a")
            .completions(10)
            .status("'succeeded':2,'completedIndexes':'0,1'")
            .condition("Complete", "SuccessPolicy", "", Instant.EPOCH)
            .build();
    ObjectNode other = JobBuilder.indexed("b").completions(3).build().copy();
    other.withObjectProperty("metadata").put("uid", "other");
    KubeObject running = KubeObject.of(other);
    assertThat(
            new WaitCommand.Waiting(List.of(early, running), WaitCommand.Wanted.complete)
                .counts()
                .completions())
        .isEqualTo(5);
  }

  @Test
  void aJobThatIsDeletedBeforeTheFirstListWasDeletedBeforeItFinished() {
    FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
    KubeObject job = cluster.add(JobBuilder.named("short"));
    cluster.before(request -> {
      if (request.line().startsWith("list jobs")) {
        cluster.erase(job.ref());
      }
    });
    Recorded recorded = Recorded.plain();
    WaitCommand command = new WaitCommand(recorded.console());
    command.jobs = List.of("short");
    command.timeout = Duration.ofHours(1);
    Timers timeout =
        (delay, task) -> {
          if (delay.equals(command.timeout)) {
            task.run();
          }
          return () -> {};
        };
    assertThat(command.run(TestTargets.of(cluster, timeout))).isEqualTo(ExitCode.FAILED);
    assertThat(recorded.out()).containsExactly("short: was deleted before it finished");
  }
}
