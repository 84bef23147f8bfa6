package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusedPodsTest {
  private static final JobEvent REFUSED = event(2, "FailedCreate", "Error creating: over quota");

  private static JobEvent event(long second, String reason, String message) {
    return new JobEvent(Instant.ofEpochSecond(second), true, reason, message, 1);
  }

  private static KubeObject job(String spec, String status) {
    return JobBuilder.named("hello").parallelism(2).spec(spec).status(status).build();
  }

  private static List<String> why(KubeObject job, JobEvent... events) {
    return RefusedPods.explanation(job, List.of(events)).stream().toList();
  }

  @Test
  void theNewestRefusalIsTold() {
    KubeObject job = job("'completions':3", "");
    assertThat(why(job)).isEmpty();
    assertThat(why(job, event(1, "FailedCreate", "forbidden"), REFUSED))
        .containsExactly("no pods are created: over quota");
    assertThat(why(job("'completions':3", "'active':1"), REFUSED))
        .containsExactly("no more pods are created: over quota");
  }

  @Test
  void aRefusalIsPastOnceLaterPodsWereCreated() {
    KubeObject job = job("'completions':3", "'active':1");
    assertThat(why(job, event(1, "SuccessfulCreate", "Created pod: a"), REFUSED)).isNotEmpty();
    assertThat(why(job, REFUSED, event(3, "SuccessfulCreate", "Created pod: a"))).isEmpty();
  }

  @Test
  void aRefusalIsPastIfPodsWereCreatedInTheSameSecond() {
    JobEvent created = event(2, "SuccessfulCreate", "Created pod: a");
    assertThat(why(job("'completions':3", "'failed':1"), REFUSED, created)).isEmpty();
    assertThat(why(job("'completions':3", "'active':1"), REFUSED, created)).isEmpty();
    assertThat(why(job("'completions':3", ""), REFUSED, created)).isNotEmpty();
  }

  @Test
  void aJobThatNeedsNoMorePodsIsNotRefusedAny() {
    assertThat(why(job("'completions':3", "'active':2"), REFUSED)).isEmpty();
    assertThat(why(job("'completions':3", "'active':1,'succeeded':2"), REFUSED)).isEmpty();
    assertThat(why(job("", "'active':1,'succeeded':1"), REFUSED)).isEmpty();
    assertThat(why(job("", "'active':1"), REFUSED)).isNotEmpty();
    assertThat(why(job("'completions':3,'suspend':true", ""), REFUSED)).isEmpty();
  }

  @Test
  void aJobThatHasEndedIsNotRefusedPods() {
    KubeObject failed =
        JobBuilder.named("hello").completions(3).condition("Failed", "Cancelled", "m").build();
    assertThat(why(failed, REFUSED)).isEmpty();
  }
}
