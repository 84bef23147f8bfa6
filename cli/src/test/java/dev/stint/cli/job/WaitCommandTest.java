package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.time.Instant;
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
}
