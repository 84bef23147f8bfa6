package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodCreationsTest {
  private static final KubeObject JOB = JobBuilder.named("j").uid("j").build();

  private final PodCreations creations = new PodCreations();

  private String name(int index) {
    return creations.name(creations.names(JOB, JobStatus.EMPTY), "j-", index);
  }

  @Test
  void theNameOfAFailedCreationIsTriedAgainForItsIndexAlone() {
    creations.retry(1, "j-again");
    assertThat(name(0)).isNotEqualTo("j-again");
    assertThat(name(1)).isEqualTo("j-again");
    assertThat(name(1)).isNotEqualTo("j-again");
  }

  @Test
  void aTakenNameIsNotChosen() {
    String taken = name(0);
    creations.markTaken(taken);
    assertThat(name(0)).isNotEqualTo(taken);
  }

  @Test
  void anAnswerCountsOnce() {
    creations.markUnanswered("j-a", 3);
    assertThat(creations.unanswered()).containsExactlyEntriesOf(Map.of("j-a", 3));
    assertThat(creations.onAnswer("j-a")).isTrue();
    assertThat(creations.onAnswer("j-a")).isFalse();
    assertThat(creations.unanswered()).isEmpty();
  }

  @Test
  void aBatchDoublesUpToItsLimitAndStartsAgainAfterAFailure() {
    creations.onBatchCreated(3);
    assertThat(creations.batch()).isEqualTo(2);
    creations.onBatchCreated(3);
    assertThat(creations.batch()).isEqualTo(3);
    creations.onBatchFailure();
    assertThat(creations.batch()).isEqualTo(1);
  }
}
