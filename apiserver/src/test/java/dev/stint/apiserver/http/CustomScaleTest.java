package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi.Answer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scale of custom resources, as kubectl and autoscalers read and write it. */
class CustomScaleTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String POOLS = "/apis/scale.example.com/v1/namespaces/default/pools";
  private static final String SCALE = POOLS + "/one/scale";
  private static final String DEFINITION =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "pools.scale.example.com"},
       "spec": {
         "group": "scale.example.com", "scope": "Namespaced",
         "names": {"plural": "pools", "kind": "Pool"},
         "versions": [
           {"name": "v1", "served": true, "storage": true,
            "subresources": {
              "status": {},
              "scale": {"specReplicasPath": ".spec.size.wanted",
                        "statusReplicasPath": ".status.replicas",
                        "labelSelectorPath": ".status.selector"}},
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {
              "spec": {"type": "object", "properties": {
                "color": {"type": "string"},
                "size": {"type": "object", "properties": {
                  "wanted": {"type": "integer", "maximum": 9}}}}},
              "status": {"type": "object", "properties": {
                "replicas": {"type": "integer"},
                "selector": {"type": "string"}}}}}}}]}}
      """;

  private final HttpApi api = new HttpApi();

  @BeforeEach
  void define() {
    Answer defined =
        api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
    assertThat(defined.code()).as(defined.body()).isEqualTo(201);
    create("{'color': 'red', 'size': {'wanted': 2}}");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private void create(String spec) {
    Answer created =
        api.post(
            POOLS,
            "{'apiVersion': 'scale.example.com/v1', 'kind': 'Pool', 'metadata': {'name': 'one'},"
                + " 'spec': "
                + spec
                + "}");
    assertThat(created.code()).as(created.body()).isEqualTo(201);
  }

  private Answer patch(String path, String type, String body) {
    return api.call("PATCH", path, body.replace('\'', '"'), Map.of("Content-Type", type));
  }

  private Answer put(String body) {
    return api.call(
        "PUT", SCALE, body.replace('\'', '"'), Map.of("Content-Type", "application/json"));
  }

  private static String scale(String metadata, String spec) {
    return "{'apiVersion': 'autoscaling/v1', 'kind': 'Scale', 'metadata': {'name': 'one'%s},"
            .formatted(metadata)
        + " 'spec': {"
        + spec
        + "}}";
  }

  @Test
  void discoveryNamesTheKind() {
    Answer resources = api.get("/apis/scale.example.com/v1");
    assertThat(resources.at("/resources/1/name")).isEqualTo("pools/scale");
    assertThat(resources.at("/resources/1/group")).isEqualTo("autoscaling");
    assertThat(resources.at("/resources/1/kind")).isEqualTo("Scale");
    assertThat(api.get("/openapi/v3/apis/scale.example.com/v1").body())
        .contains("/namespaces/{namespace}/pools/{name}/scale")
        .contains("io.k8s.api.autoscaling.v1.Scale");
  }

  @Test
  void aScaleTellsWhatIsWantedAndWhatIs() {
    patch(POOLS + "/one/status", MERGE, "{'status': {'replicas': 1, 'selector': 'app=one'}}");
    Answer scale = api.get(SCALE);
    assertThat(scale.code()).as(scale.body()).isEqualTo(200);
    assertThat(scale.at("/apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(scale.at("/kind")).isEqualTo("Scale");
    assertThat(scale.at("/metadata/name")).isEqualTo("one");
    assertThat(scale.at("/metadata/uid")).isEqualTo(api.get(POOLS + "/one").at("/metadata/uid"));
    assertThat(scale.at("/spec/replicas")).isEqualTo("2");
    assertThat(scale.at("/status/replicas")).isEqualTo("1");
    assertThat(scale.at("/status/selector")).isEqualTo("app=one");
    assertThat(scale.at("/metadata/managedFields/0/apiVersion")).isEqualTo("autoscaling/v1");
  }

  @Test
  void aMergePatchChangesTheNumberAlone() {
    Answer scaled = patch(SCALE, MERGE, "{'spec': {'replicas': 5}}");
    assertThat(scaled.code()).as(scaled.body()).isEqualTo(200);
    assertThat(scaled.at("/spec/replicas")).isEqualTo("5");
    Answer pool = api.get(POOLS + "/one");
    assertThat(pool.at("/spec/size/wanted")).isEqualTo("5");
    assertThat(pool.at("/spec/color")).isEqualTo("red");
    assertThat(pool.at("/metadata/generation")).isEqualTo("2");
    assertThat(pool.at("/metadata/managedFields/1/subresource")).isEqualTo("scale");
    assertThat(pool.at("/metadata/managedFields/1/apiVersion")).isEqualTo("scale.example.com/v1");
  }

  @Test
  void aReplacementIsRefusedIfItsRevisionIsOld() {
    String revision = api.get(SCALE).at("/metadata/resourceVersion");
    String metadata = ", 'resourceVersion': '" + revision + "'";
    Answer scaled = put(scale(metadata, "'replicas': 3"));
    assertThat(scaled.code()).as(scaled.body()).isEqualTo(200);
    assertThat(put(scale(metadata, "'replicas': 4")).code()).isEqualTo(409);
    assertThat(put(scale("", "'replicas': 4")).at("/spec/replicas")).isEqualTo("4");
  }

  @Test
  void aWantedNumberIsChecked() {
    Answer negative = put(scale("", "'replicas': -1"));
    assertThat(negative.code()).isEqualTo(422);
    assertThat(negative.body())
        .contains("Scale.autoscaling \\\"one\\\" is invalid: spec.replicas: Invalid value: -1");
    Answer schema = put(scale("", "'replicas': 10"));
    assertThat(schema.code()).isEqualTo(422);
    assertThat(schema.body()).contains("spec.size.wanted");
    Answer other = put("{'apiVersion': 'scale.example.com/v1', 'kind': 'Pool', 'spec': {}}");
    assertThat(other.code()).isEqualTo(400);
  }

  @Test
  void anAppliedScaleOwnsTheNumber() {
    Answer refused = patch(SCALE + "?fieldManager=me", APPLY, scale("", "'replicas': 4"));
    assertThat(refused.code()).isEqualTo(409);
    Answer forced = patch(SCALE + "?fieldManager=me&force=true", APPLY, scale("", "'replicas': 4"));
    assertThat(forced.code()).as(forced.body()).isEqualTo(200);
    assertThat(forced.at("/kind")).isEqualTo("Scale");
    assertThat(forced.at("/spec/replicas")).isEqualTo("4");
    assertThat(forced.tree().at("/metadata/managedFields")).hasSize(1);
    assertThat(forced.at("/metadata/managedFields/0/manager")).isEqualTo("me");
    assertThat(forced.at("/metadata/managedFields/0/apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(forced.tree().at("/metadata/managedFields/0/fieldsV1").toString())
        .isEqualTo("{\"f:spec\":{\"f:replicas\":{}}}");
    assertThat(api.get(POOLS + "/one").at("/metadata/managedFields/0/subresource"))
        .isEqualTo("scale");
    Answer odd = patch(SCALE + "?fieldManager=me", APPLY, scale("", "'odd': 4"));
    assertThat(odd.code()).as(odd.body()).isEqualTo(400);
    assertThat(odd.body()).contains("Kind=Scale): .spec.odd: field not declared in schema");
    Answer nobody = patch(POOLS + "/two/scale?fieldManager=me", APPLY, scale("", "'replicas': 4"));
    assertThat(nobody.code()).isEqualTo(404);
  }

  @Test
  void anObjectWithoutANumberHasNoScale() {
    api.delete(POOLS + "/one", "");
    create("{'color': 'red'}");
    Answer none = api.get(SCALE);
    assertThat(none.code()).isEqualTo(500);
    assertThat(none.body()).contains(".spec.size.wanted");
  }
}
