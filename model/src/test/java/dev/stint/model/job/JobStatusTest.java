package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Each write of a status also writes what others have put into it. */
class JobStatusTest {
  private static ObjectNode with(String status, String times) {
    return Json.parse(
        """
        {"conditions": [{"type": "example.com/Healthy", "status": "%s", %s
          "reason": "Probed", "message": "by somebody else"}], "active": 2}
        """
            .formatted(status, times));
  }

  @ParameterizedTest
  @ValueSource(strings = {"True", "False", "Unknown"})
  void statusesOfConditionsStay(String status) {
    ObjectNode tree = with(status, "");
    assertThat(JobStatus.read(tree).write()).isEqualTo(tree);
    assertThat(JobStatus.read(tree).isTrue("example.com/Healthy")).isEqualTo(status.equals("True"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'lastProbeTime': '2026-01-02T00:00:00Z', 'lastTransitionTime': '2026-01-01T00:00:00Z',",
        "'lastProbeTime': '2026-01-02T00:00:00Z',",
        "'lastTransitionTime': '2026-01-01T00:00:00Z',",
      })
  void timesOfConditionsStay(String times) {
    ObjectNode tree = with("True", times.replace('\'', '"'));
    assertThat(JobStatus.read(tree).write()).isEqualTo(tree);
  }
}
