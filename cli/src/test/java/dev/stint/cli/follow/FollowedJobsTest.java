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

  @Test
  void theLastJobThatFailsLeavesNothingToStop() {
    FollowedJobs jobs = new FollowedJobs(List.of(requested("a"), requested("b")));
    jobs.onUpdate(JobBuilder.indexed("a").build());
    jobs.onUpdate(JobBuilder.indexed("b").condition("Complete", "", "", Instant.EPOCH).build());
    jobs.onUpdate(JobBuilder.indexed("a").condition("Failed", "", "", Instant.EPOCH).build());
    assertThat(jobs.finished()).isDone();
    assertThat(jobs.failed()).isNotDone();
  }

  @Test
  void aFailureIsToldWhileAnotherJobIsUnfinished() {
    FollowedJobs jobs = new FollowedJobs(List.of(requested("a"), requested("b")));
    jobs.onUpdate(JobBuilder.indexed("a").condition("Failed", "", "", Instant.EPOCH).build());
    assertThat(jobs.failed()).isCompletedWithValueMatching(failed -> failed.job().equals("a"));
    assertThat(jobs.finished()).isNotDone();
  }
}
