package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.model.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes of the status of custom resources: it may be absent, and of any type. */
class CustomStatusTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String PARTS = "/apis/ex.com/v1/namespaces/default/parts";
  private static final String ONE = PARTS + "/one";
  private static final String STATUS = ONE + "/status";
  private static final String PHASE =
      "'status': {'type': 'object', 'properties': {'phase': {'type': 'string'}}";
  private static final String REQUIRED = PHASE + ", 'required': ['phase']}";

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  /** Defines the kind, and creates an object without status. */
  private void define(String status, String rules) {
    Answer defined =
        api.post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            """
            {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
             'metadata': {'name': 'parts.ex.com'},
             'spec': {'group': 'ex.com', 'scope': 'Namespaced',
               'names': {'plural': 'parts', 'kind': 'Part'},
               'versions': [{'name': 'v1', 'served': true, 'storage': true,
                 'subresources': {'status': {}},
                 'schema': {'openAPIV3Schema': {'type': 'object', %s 'properties': {
                   'spec': {'type': 'object', 'properties': {'n': {'type': 'integer'}}},
                   %s}}}}]}}
            """
                .formatted(rules, status));
    assertThat(defined.code()).as(defined.body()).isEqualTo(201);
    assertThat(api.post(PARTS, part("")).code()).isEqualTo(201);
  }

  private static String part(String more) {
    return "{'apiVersion': 'ex.com/v1', 'kind': 'Part', 'metadata': {'name': 'one'}%s}"
        .formatted(more);
  }

  private Answer patch(String type, String body) {
    return patch(STATUS, type, body);
  }

  private Answer patch(String target, String type, String body) {
    return api.call("PATCH", target, body, Map.of("Content-Type", type));
  }

  /** Replaces the status by what was read with another status; none if it is null. */
  private Answer put(@Nullable JsonNode status) {
    ObjectNode read = api.get(ONE).tree();
    read.remove("status");
    if (status != null) {
      read.set("status", status);
    }
    return api.call("PUT", STATUS, read.toString(), Map.of());
  }

  private void changesNothing(Answer written, String before) {
    assertThat(written.code()).as(written.body()).isEqualTo(200);
    assertThat(written.tree()).isEqualTo(Json.parse(before));
    assertThat(api.get(ONE).tree()).isEqualTo(Json.parse(before));
  }

  @ParameterizedTest
  @ValueSource(strings = {REQUIRED, PHASE + "}"})
  void aWriteWithoutAStatusLeavesAnObjectWithoutOneAlone(String status) {
    define(status, "");
    String before = api.get(ONE).body();
    changesNothing(patch(MERGE, "{}"), before);
    changesNothing(patch(MERGE, "{'spec': {'n': 1}}"), before);
    changesNothing(put(null), before);
  }

  @Test
  void aStatusThatIsNotThereGetsNoDefaults() {
    define(
        "'status': {'type': 'object', 'properties': {'phase': {'type': 'string', 'default': 'New'}}}",
        "");
    changesNothing(patch(MERGE, "{}"), api.get(ONE).body());
    assertThat(patch(MERGE, "{'status': {}}").at("/status/phase")).isEqualTo("New");
  }

  @Test
  void rulesSeeThatThereIsNone() {
    define(
        PHASE + "}",
        "'x-kubernetes-validations': [{'rule': '!has(self.status) || has(self.spec)'}],");
    changesNothing(patch(MERGE, "{}"), api.get(ONE).body());
    assertThat(patch(MERGE, "{'status': {'phase': 'Up'}}").code()).isEqualTo(422);
  }

  @Test
  void aStatusCanBeRemoved() {
    define(REQUIRED, "");
    ready();
    removed(patch(MERGE, "{'status': null}"));
    ready();
    removed(patch(JSON_PATCH, "[{'op': 'remove', 'path': '/status'}]"));
    ready();
    removed(put(null));
    Answer applied = patch(STATUS + "?fieldManager=m", APPLY, part(", 'status': {'phase': 'Up'}"));
    assertThat(applied.at("/status/phase")).as(applied.body()).isEqualTo("Up");
    removed(patch(STATUS + "?fieldManager=m", APPLY, part("")));
  }

  private void ready() {
    Answer written = patch(MERGE, "{'status': {'phase': 'Up'}}");
    assertThat(written.at("/status/phase")).as(written.body()).isEqualTo("Up");
  }

  private void removed(Answer written) {
    assertThat(written.code()).as(written.body()).isEqualTo(200);
    assertThat(written.tree().has("status")).as(written.body()).isFalse();
    assertThat(api.get(ONE).tree().has("status")).isFalse();
    assertThat(written.at("/metadata/generation")).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'hello'", "[1, 'two']", "7", "{'any': {'thing': []}}"})
  void aStatusMayBeOfAnyTypeThatTheSchemaHas(String value) {
    define("'status': {'x-kubernetes-preserve-unknown-fields': true}", "");
    JsonNode status = HttpApi.tree("{'v': %s}".formatted(value)).get("v");
    assertThat(patch(MERGE, "{'status': %s}".formatted(value)).tree().get("status"))
        .isEqualTo(status);
    assertThat(api.get(ONE).tree().get("status")).isEqualTo(status);
    changesNothing(put(status), api.get(ONE).body());
    api.forget();
    assertThat(api.get(ONE).tree().get("status")).isEqualTo(status);
    assertThat(api.get(PARTS, HttpApi.TABLE).code()).isEqualTo(200);
  }

  @Test
  void aStatusOfAnotherTypeThanTheSchemaHasIsRefused() {
    define("'status': {'type': 'string'}", "");
    assertThat(patch(MERGE, "{'status': 'hello'}").at("/status")).isEqualTo("hello");
    Answer refused = patch(MERGE, "{'status': ['hello']}");
    assertThat(refused.code()).as(refused.body()).isEqualTo(422);
    assertThat(refused.causes()).containsExactly("status");
  }
}
