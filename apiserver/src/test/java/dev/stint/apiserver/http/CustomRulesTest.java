package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.model.Json;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules in CEL, as clients see them. */
class CustomRulesTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String SCALERS = "/apis/stable.example.com/v1/namespaces/default/scalers";
  private static final String DEFINITION =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "scalers.stable.example.com"},
       "spec": {
         "group": "stable.example.com", "scope": "Namespaced",
         "names": {"plural": "scalers", "kind": "Scaler"},
         "versions": [{
           "name": "v1", "served": true, "storage": true,
           "subresources": {"status": {}},
           "schema": {"openAPIV3Schema": {
             "type": "object",
             "x-kubernetes-validations": [
               {"rule": "self.metadata.name.startsWith(\\"s\\")", "message": "names start with s"}],
             "properties": {
               "spec": {"type": "object",
                 "required": ["min"],
                 "properties": {"min": {"type": "integer"}, "max": {"type": "integer"},
                                "mode": {"type": "string"}},
                 "x-kubernetes-validations": [
                   {"rule": "!has(self.max) || self.min <= self.max", "fieldPath": ".max",
                    "messageExpression": "\\"must be at least %d\\".format([self.min])"},
                   {"rule": "has(self.mode) && self.mode == oldSelf.mode || !has(oldSelf.mode)",
                    "message": "mode is immutable"}]},
               "status": {"type": "object", "properties": {"ready": {"type": "integer"}},
                 "x-kubernetes-validations": [{"rule": "self.ready >= 0"}]}}}}}]}}
      """;

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  private Answer define() {
    Answer defined = api.post(DEFINITIONS, DEFINITION);
    assertThat(defined.code()).as(defined.body()).isEqualTo(201);
    return defined;
  }

  private Answer create(String name, String spec) {
    return api.post(
        SCALERS,
        "{'apiVersion': 'stable.example.com/v1', 'kind': 'Scaler', 'metadata': {'name': '"
            + name
            + "'}, 'spec': "
            + spec
            + "}");
  }

  private Answer merge(String path, String body) {
    return merge(api, path, body);
  }

  private static Answer merge(HttpApi server, String path, String body) {
    return server.call("PATCH", path, body.replace('\'', '"'), Map.of("Content-Type", MERGE));
  }

  @Test
  void anObjectThatBreaksARuleIsRefused() {
    define();
    Answer refused = create("small", "{'min': 3, 'max': 1}");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.at("/details/causes/0/field")).isEqualTo("spec.max");
    assertThat(refused.at("/details/causes/0/message"))
        .isEqualTo("Invalid value: must be at least 3");
    assertThat(create("other", "{'min': 1}").body())
        .contains("<nil>: Invalid value: names start with s");
    assertThat(create("small", "{'min': 1, 'max': 3}").code()).isEqualTo(201);
  }

  @Test
  void rulesWaitForAValidObject() {
    define();
    assertThat(create("small", "{}").body())
        .contains("spec.min: Required value")
        .contains("some validation rules were not checked because the object was invalid");
  }

  @Test
  void transitionsAreCheckedOnUpdates() {
    define();
    create("small", "{'min': 1, 'mode': 'a'}");
    Answer refused = merge(SCALERS + "/small", "{'spec': {'mode': 'b'}}");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.body()).contains("spec: Invalid value: mode is immutable");
    assertThat(merge(SCALERS + "/small", "{'spec': {'min': 2}}").code()).isEqualTo(200);
  }

  @Test
  void theStatusHasRulesToo() {
    define();
    create("small", "{'min': 1}");
    assertThat(merge(SCALERS + "/small/status", "{'status': {'ready': -1}}").body())
        .contains("status: Invalid value: failed rule: self.ready >= 0");
    assertThat(merge(SCALERS + "/small/status", "{'status': {'ready': 1}}").code()).isEqualTo(200);
  }

  @Test
  void aDefinitionWithARuleThatDoesNotCompileIsRefused() {
    Answer refused = api.post(DEFINITIONS, DEFINITION.replace("self.ready >= 0", "self.odd >= 0"));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.at("/details/causes/0/field"))
        .isEqualTo(
            "spec.validation.openAPIV3Schema.properties[status].x-kubernetes-validations[0].rule");
    assertThat(refused.at("/details/causes/0/message"))
        .contains("compilation failed: ERROR: <input>:1:5: undefined field 'odd'");
  }

  @Test
  void aDefinitionWhoseRuleMayCostTooMuchIsRefused() {
    Answer refused =
        api.post(
            DEFINITIONS,
            DEFINITION.replace(
                "!has(self.max) || self.min <= self.max",
                "!has(self.mode) || self.mode.matches(self.mode)"));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.at("/details/causes/0/field"))
        .isEqualTo(
            "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule");
    assertThat(refused.at("/details/causes/0/message"))
        .startsWith(
            "Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try");
  }

  @Test
  void aStoredDefinitionIsServedEvenIfARuleOfItDoesNotCompile() {
    Answer sound = define();
    Answer small = create("small", "{'min': 1}");
    try (HttpApi later = new HttpApi()) {
      later.store(
          "/registry/apiextensions.k8s.io/customresourcedefinitions/scalers.stable.example.com",
          sound.body().replace("self.min <= self.max", "self.min <= self.odd"));
      later.store("/registry/stable.example.com/scalers/default/small", small.body());
      assertThat(later.get(SCALERS + "/small").code()).isEqualTo(200);
      Answer refused = merge(later, SCALERS + "/small", "{'spec': {'min': 2}}");
      assertThat(refused.code()).isEqualTo(422);
      assertThat(refused.body())
          .contains("rule compile error: compilation failed: ERROR: <input>:1:", "undefined field");

      String definition = DEFINITIONS + "/scalers.stable.example.com";
      String names = "{'spec': {'names': {'shortNames': ['sc']}}}";
      assertThat(merge(later, definition, names).code()).isEqualTo(200);
      assertThat(later.get(SCALERS + "/small").code()).isEqualTo(200);
      String sounder = Json.object().set("spec", Json.parse(DEFINITION).get("spec")).toString();
      Answer corrected = merge(later, definition, sounder);
      assertThat(corrected.code()).as(corrected.body()).isEqualTo(200);
      assertThat(merge(later, SCALERS + "/small", "{'spec': {'min': 2}}").code()).isEqualTo(200);
    }
  }
}
