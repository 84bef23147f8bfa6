package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.job.JobStatus;
import org.junit.jupiter.api.Test;

class SuspensionTest {
  private static final JobStatus SUSPENDED =
      JobStatus.read(Json.parse("{\"conditions\":[{\"type\":\"Suspended\",\"status\":\"True\"}]}"));

  @Test
  void aChangeIsReportedByACondition() {
    assertThat(Suspension.change(true, JobStatus.EMPTY, PolicyInputs.NOW))
        .hasValueSatisfying(condition -> assertThat(condition.reason()).isEqualTo("JobSuspended"));
    assertThat(Suspension.change(false, SUSPENDED, PolicyInputs.NOW))
        .hasValueSatisfying(condition -> assertThat(condition.isTrue()).isFalse());
  }

  @Test
  void anUnchangedStateNeedsNoCondition() {
    assertThat(Suspension.change(true, SUSPENDED, PolicyInputs.NOW)).isEmpty();
    assertThat(Suspension.change(false, JobStatus.EMPTY, PolicyInputs.NOW)).isEmpty();
  }
}
