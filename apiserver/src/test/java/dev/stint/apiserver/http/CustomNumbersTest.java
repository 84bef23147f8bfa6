package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi.Answer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Numbers of custom resources are those of Kubernetes, and stay so when they are read again. */
class CustomNumbersTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String TANKS = "/apis/numbers.example.com/v1/namespaces/default/tanks";
  private static final String TANK = TANKS + "/one";
  private static final String DEFINITION =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "tanks.numbers.example.com"},
       "spec": {
         "group": "numbers.example.com", "scope": "Namespaced",
         "names": {"plural": "tanks", "kind": "Tank"},
         "versions": [
           {"name": "v1", "served": true, "storage": true,
            "subresources": {
              "scale": {"specReplicasPath": ".spec.replicas",
                        "statusReplicasPath": ".status.replicas"}},
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {
              "spec": {"type": "object", "properties": {
                "color": {"type": "string"},
                "replicas": {"type": "integer"},
                "spare": {"type": "integer", "default": 2.0},
                "rate": {"type": "number"}}},
              "status": {"type": "object", "properties": {
                "replicas": {"type": "integer"}}}}}}}]}}
      """;

  private final HttpApi api = new HttpApi();

  @BeforeEach
  void define() {
    Answer defined = api.post(DEFINITIONS, DEFINITION);
    assertThat(defined.code()).as(defined.body()).isEqualTo(201);
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aWholeFloatIsAnInteger() {
    Answer created = api.post(TANKS, tank("'replicas': 1.0"));
    assertThat(created.tree().get("spec")).hasToString("{\"replicas\":1,\"spare\":2}");
    assertThat(api.get(TANK + "/scale").at("/spec/replicas")).isEqualTo("1");
    Answer patched = patch("application/merge-patch+json", TANK, "{'spec': {'replicas': 3e0}}");
    assertThat(patched.at("/spec/replicas")).isEqualTo("3");
    api.forget();
    assertThat(api.get(TANK + "/scale").at("/spec/replicas")).isEqualTo("3");
  }

  @Test
  void aNumberThatIsTooLargeIsRefused() {
    Answer refused = api.post(TANKS, tank("'rate': 1e400"));
    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.at("/message")).contains("spec.rate: the number 1E+400 is out of range");
  }

  @Test
  void aFloatThatDoesNotChangeMayStay() {
    assertThat(api.post(TANKS, tank("'rate': 0.5")).code()).isEqualTo(201);
    Answer stricter =
        patch(
            "application/json-patch+json",
            DEFINITIONS + "/tanks.numbers.example.com",
            "[{'op': 'add', 'value': 1, 'path': '/spec/versions/0/schema/openAPIV3Schema"
                + "/properties/spec/properties/rate/minimum'}]");
    assertThat(stricter.code()).as(stricter.body()).isEqualTo(200);
    api.forget();
    Answer kept = put("'rate': 0.50, 'color': 'red'");
    assertThat(kept.code()).as(kept.body()).isEqualTo(200);
    Answer changed = put("'rate': 0.25");
    assertThat(changed.code()).as(changed.body()).isEqualTo(422);
  }

  private Answer put(String spec) {
    String revision = api.get(TANK).at("/metadata/resourceVersion");
    String named = "'name': 'one', 'resourceVersion': '" + revision + "'";
    return api.call("PUT", TANK, tank(spec).replace("'name': 'one'", named), Map.of());
  }

  private Answer patch(String type, String path, String body) {
    return api.call("PATCH", path, body, Map.of("Content-Type", type));
  }

  private static String tank(String spec) {
    return "{'apiVersion': 'numbers.example.com/v1', 'kind': 'Tank', 'metadata': {'name': 'one'},"
        + " 'spec': {"
        + spec
        + "}}";
  }
}
