package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActiveDeadlineTest {
  private static final JobSituation JOB = Situations.of("{'activeDeadlineSeconds':5}");

  @Test
  void theJobFailsWhenItsTimeIsUp() {
    assertThat(ActiveDeadline.evaluate(Situations.at(JOB, Situations.NOW.plusSeconds(4))))
        .isEmpty();
    assertThat(ActiveDeadline.evaluate(Situations.at(JOB, Situations.NOW.plusSeconds(5))))
        .hasValueSatisfying(verdict -> assertThat(verdict.reason()).isEqualTo("DeadlineExceeded"));
  }

  @Test
  void aSuspendedJobsClockStands() {
    JobSituation suspended = Situations.of("{'activeDeadlineSeconds':5,'suspend':true}");
    assertThat(ActiveDeadline.deadline(suspended)).isNull();
    assertThat(ActiveDeadline.evaluate(Situations.at(suspended, Situations.NOW.plusSeconds(9))))
        .isEmpty();
  }

  @Test
  void withoutADeadlineThereIsNone() {
    assertThat(ActiveDeadline.deadline(Situations.of("{}"))).isNull();
  }
}
