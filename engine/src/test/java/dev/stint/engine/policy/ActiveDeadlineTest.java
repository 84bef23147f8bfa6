package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActiveDeadlineTest {
  private static final PolicyInput JOB = PolicyInputs.of("{'activeDeadlineSeconds':5}");

  @Test
  void theJobFailsWhenItsTimeIsUp() {
    assertThat(ActiveDeadline.evaluate(PolicyInputs.at(JOB, PolicyInputs.NOW.plusSeconds(4))))
        .isEmpty();
    assertThat(ActiveDeadline.evaluate(PolicyInputs.at(JOB, PolicyInputs.NOW.plusSeconds(5))))
        .hasValueSatisfying(verdict -> assertThat(verdict.reason()).isEqualTo("DeadlineExceeded"));
  }

  @Test
  void aSuspendedJobsClockStands() {
    PolicyInput suspended = PolicyInputs.of("{'activeDeadlineSeconds':5,'suspend':true}");
    assertThat(ActiveDeadline.deadline(suspended)).isNull();
    assertThat(ActiveDeadline.evaluate(PolicyInputs.at(suspended, PolicyInputs.NOW.plusSeconds(9))))
        .isEmpty();
  }

  @Test
  void withoutADeadlineThereIsNone() {
    assertThat(ActiveDeadline.deadline(PolicyInputs.of("{}"))).isNull();
    assertThat(
            ActiveDeadline.deadline(
                PolicyInputs.of("{'activeDeadlineSeconds':" + Long.MAX_VALUE + "}")))
        .as("too far away for an Instant")
        .isNull();
  }
}
