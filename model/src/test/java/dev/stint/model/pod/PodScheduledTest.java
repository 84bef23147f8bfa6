package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PodScheduledTest {
  private static KubeObject pod(String status) {
    return KubeObject.of(Json.parse("{\"status\":" + status.replace('\'', '"') + "}"));
  }

  @Test
  void aPodThatNoNodeTakesHasARefusal() {
    ObjectNode refusal =
        PodScheduled.refusal(
            pod(
                "{'conditions':[{'type':'Ready','status':'False'},"
                    + "{'type':'PodScheduled','status':'False','reason':'Unschedulable'}]}"));
    assertThat(Json.text(refusal, "reason")).isEqualTo("Unschedulable");
  }

  @Test
  void othersHaveNone() {
    assertThat(PodScheduled.refusal(pod("{}"))).isNull();
    assertThat(
            PodScheduled.refusal(pod("{'conditions':[{'type':'PodScheduled','status':'True'}]}")))
        .isNull();
  }
}
