package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobCountsTest {
  @Test
  void aJobThatIsCompleteEarlyLeavesNoWork() {
    JobBuilder job =
        JobBuilder.indexed("a")
            .completions(10)
            .status("'succeeded':2,'completedIndexes':'0,1','failed':1");
    assertThat(JobCounts.ofWork(job.build()).completions()).isEqualTo(10);
    JobCounts complete =
        JobCounts.ofWork(job.condition("Complete", "SuccessPolicy", "", Instant.EPOCH).build());
    assertThat(complete.completions()).isEqualTo(2);
    assertThat(complete.settled()).isEqualTo(2);
    assertThat(complete.failed()).isEqualTo(1);
    JobCounts other = JobCounts.ofWork(JobBuilder.named("b").completions(3).build());
    assertThat(complete.plus(other).completions()).isEqualTo(5);
  }

  @Test
  void aJobThatFailedKeepsWhatItWanted() {
    assertThat(
            JobCounts.ofWork(
                    JobBuilder.indexed("a")
                        .completions(10)
                        .status("'succeeded':2,'completedIndexes':'0,1'")
                        .condition("Failed", "FailedIndexes", "", Instant.EPOCH)
                        .build())
                .completions())
        .isEqualTo(10);
  }
}
