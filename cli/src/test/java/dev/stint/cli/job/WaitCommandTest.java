package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitCommandTest {
  @Test
  void aJobThatIsCompleteEarlyLeavesNoWork() {
    KubeObject early =
        JobBuilder.indexed("a")
            .completions(10)
            .status("'succeeded':2,'completedIndexes':'0,1'")
            .condition("Complete", "SuccessPolicy", "", Instant.EPOCH)
            .build();
    KubeObject running = JobBuilder.indexed("b").completions(3).build();
    running.tree().withObject("/metadata").put("uid", "other");
    assertThat(
            new WaitCommand.Waiting(List.of(early, running), WaitCommand.Wanted.complete)
                .counts()
                .completions())
        .isEqualTo(5);
  }
}
