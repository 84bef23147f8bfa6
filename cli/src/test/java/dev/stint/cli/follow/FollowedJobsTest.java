package dev.stint.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.submit.RequestedJob;
import dev.stint.harness.JobBuilder;
import dev.stint.model.document.Documents;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowedJobsTest {
  private static RequestedJob requested(String name) {
    String text =
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s, namespace: default}\nspec: {}"
            .formatted(name);
    return RequestedJob.of(
        Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst());
  }

  @Test
  void aJobThatIsCompleteEarlyLeavesNoWork() {
    FollowedJobs jobs = new FollowedJobs(List.of(requested("a"), requested("b")));
    jobs.onUpdate(
        JobBuilder.indexed("a")
            .completions(10)
            .status("'succeeded':2,'completedIndexes':'0,1'")
            .condition("Complete", "SuccessPolicy", "", Instant.EPOCH)
            .build());
    jobs.onUpdate(JobBuilder.indexed("b").completions(3).build());
    assertThat(jobs.counts().completions()).isEqualTo(5);
  }
}
