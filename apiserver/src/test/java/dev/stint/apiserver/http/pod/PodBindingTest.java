package dev.stint.apiserver.http.pod;

import static dev.stint.apiserver.http.HttpApi.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Bindings by a scheduler that is no part of this server. */
class PodBindingTest {
  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  private Answer bind(String metadata) {
    return api.post(
        PODS + "/p/binding",
        ("{'apiVersion': 'v1', 'kind': 'Binding', 'metadata': {'name': 'p'%s},"
                + " 'target': {'kind': 'Node', 'name': 'n'}}")
            .formatted(metadata));
  }

  private Answer pod() {
    return api.get(PODS + "/p");
  }

  private void create(String gates) {
    ObjectNode pod = PodBuilder.named("p").tree();
    pod.withObjectProperty("spec")
        .set("schedulingGates", Json.parse("{\"gates\": [" + gates + "]}").get("gates"));
    assertThat(api.post(PODS, pod.toString()).code()).isEqualTo(201);
  }

  /** A pod of the same name may have taken the place of the one that was decided on. */
  @Test
  void preconditionsHoldForBindings() {
    create("");
    String version = pod().at("/metadata/resourceVersion");
    assertThat(bind(", 'uid': 'other'").code()).isEqualTo(409);
    assertThat(bind(", 'resourceVersion': '1'").code()).isEqualTo(409);
    assertThat(pod().at("/spec/nodeName")).isEmpty();
    String same =
        ", 'uid': '%s', 'resourceVersion': '%s'".formatted(pod().at("/metadata/uid"), version);
    assertThat(bind(same).code()).isEqualTo(201);
    assertThat(pod().at("/spec/nodeName")).isEqualTo("n");
  }

  @Test
  void aPodWithSchedulingGatesIsNotBound() {
    create("{\"name\": \"example.com/wait\"}");
    assertThat(bind("").code()).isEqualTo(409);
    assertThat(pod().at("/spec/nodeName")).isEmpty();
  }

  @Test
  void annotationsOfABindingComeToThePod() {
    create("");
    assertThat(bind(", 'annotations': {'example.com/gpu': '3'}").code()).isEqualTo(201);
    assertThat(pod().at("/metadata/annotations/example.com~1gpu")).isEqualTo("3");
  }
}
