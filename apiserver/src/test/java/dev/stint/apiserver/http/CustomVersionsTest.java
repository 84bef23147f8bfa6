package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.model.Json;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The versions of a custom kind, and who owns its fields, as clients see them. */
class CustomVersionsTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String SETS = "crd.example.com/%s/namespaces/default/jobsets";
  private static final String OLD = "/apis/" + SETS.formatted("v1alpha2");
  private static final String NEW = "/apis/" + SETS.formatted("v1beta1");
  private static final String SCHEMA =
      """
      {"type": "object", "properties": {
         "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
           "suspend": {"type": "boolean", "default": false},
           "FIELD": {"type": "integer", "default": 3},
           "args": {"type": "array", "items": {"type": "string"}},
           "names": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
           "selector": {"type": "object", "x-kubernetes-map-type": "atomic",
                        "additionalProperties": {"type": "string"}},
           "ports": {"type": "array", "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": ["port", "protocol"],
             "items": {"type": "object", "required": ["port"], "properties": {
               "port": {"type": "integer"}, "name": {"type": "string"},
               "protocol": {"type": "string", "default": "TCP"}}}}}},
         "status": {"type": "object", "properties": {
           "restarts": {"type": "integer"},
           "conditions": {"type": "array", "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": ["type"],
             "items": {"type": "object", "required": ["type"], "properties": {
               "type": {"type": "string"}, "status": {"type": "string"}}}}}}}}
      """;
  private static final String DEFINITION =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "jobsets.crd.example.com"},
       "spec": {
         "group": "crd.example.com", "scope": "Namespaced",
         "names": {"plural": "jobsets", "kind": "JobSet"},
         "versions": [
           {"name": "v1alpha2", "served": true, "storage": false, "deprecated": true,
            "subresources": {"status": {}},
            "additionalPrinterColumns": [
              {"name": "Old", "type": "integer", "jsonPath": ".spec.old"}],
            "schema": {"openAPIV3Schema": OLD}},
           {"name": "v1beta1", "served": true, "storage": true,
            "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": NEW}}]}}
      """
          .replace("OLD", SCHEMA.replace("FIELD", "old"))
          .replace("NEW", SCHEMA.replace("FIELD", "new"));

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

  private static String jobSet(String version, String rest) {
    return "{'apiVersion': 'crd.example.com/%s', 'kind': 'JobSet', 'metadata': {'name': 'one'}, %s}"
        .formatted(version, rest);
  }

  private Answer patch(String path, String type, String body) {
    return api.call("PATCH", path, body.replace('\'', '"'), Map.of("Content-Type", type));
  }

  private Answer apply(String path, String manager, String rest) {
    return patch(path + "?fieldManager=" + manager, APPLY, jobSet("v1beta1", rest));
  }

  @Test
  void everyServedVersionIsInDiscoveryThePreferredOneFirst() {
    Answer group = api.get("/apis/crd.example.com");
    assertThat(group.at("/preferredVersion/version")).isEqualTo("v1beta1");
    assertThat(group.at("/versions/1/version")).isEqualTo("v1alpha2");
    assertThat(api.get("/apis/crd.example.com/v1alpha2").at("/resources/1/name"))
        .isEqualTo("jobsets/status");
    assertThat(api.get("/openapi/v3").body()).contains("apis/crd.example.com/v1alpha2");
  }

  @Test
  void objectsAreWrittenAndReadInAnyVersion() {
    Answer created = api.post(OLD, jobSet("v1alpha2", "'spec': {'args': ['a']}"));
    assertThat(created.code()).as(created.body()).isEqualTo(201);
    assertThat(created.at("/apiVersion")).isEqualTo("crd.example.com/v1alpha2");
    assertThat(created.at("/spec/old")).isEqualTo("3");
    assertThat(created.at("/metadata/managedFields/0/apiVersion"))
        .isEqualTo("crd.example.com/v1alpha2");
    Answer read = api.get(NEW + "/one");
    assertThat(read.at("/apiVersion")).isEqualTo("crd.example.com/v1beta1");
    assertThat(read.at("/spec/new")).isEqualTo("3");
    Answer changed = patch(NEW + "/one", MERGE, "{'spec': {'suspend': true}}");
    assertThat(changed.code()).as(changed.body()).isEqualTo(200);
    assertThat(changed.at("/metadata/generation")).isEqualTo("2");
    assertThat(changed.at("/metadata/managedFields/1/apiVersion"))
        .isEqualTo("crd.example.com/v1beta1");
    Answer list = api.get(OLD);
    assertThat(list.at("/apiVersion")).isEqualTo("crd.example.com/v1alpha2");
    assertThat(list.at("/items/0/apiVersion")).isEqualTo("crd.example.com/v1alpha2");
    assertThat(list.at("/items/0/spec/suspend")).isEqualTo("true");
  }

  @Test
  void eachVersionHasItsColumns() {
    api.post(OLD, jobSet("v1alpha2", "'spec': {'old': 7}"));
    Answer table = api.call("GET", OLD, "", Map.of("Accept", TABLE));
    assertThat(table.at("/columnDefinitions/1/name")).isEqualTo("Old");
    assertThat(table.at("/rows/0/cells/1")).isEqualTo("7");
    Answer other = api.call("GET", NEW, "", Map.of("Accept", TABLE));
    assertThat(other.at("/columnDefinitions/1/name")).isEqualTo("Age");
  }

  @Test
  void whoUsesADeprecatedVersionIsWarned() {
    assertThat(api.reply("GET", OLD, new byte[0], Map.of()).toString())
        .contains("crd.example.com/v1alpha2 JobSet is deprecated");
    assertThat(api.reply("GET", NEW, new byte[0], Map.of()).toString())
        .doesNotContain("deprecated");
  }

  @Test
  void whatIsStoredFollowsTheVersionThatIsStored() {
    api.post(NEW, jobSet("v1beta1", "'spec': {}"));
    String swapped =
        DEFINITION
            .replace("\"storage\": true", "\"storage\": no")
            .replace("\"storage\": false", "\"storage\": true")
            .replace("\"storage\": no", "\"storage\": false");
    Answer moved = patch(DEFINITIONS + "/jobsets.crd.example.com", MERGE, swapped);
    assertThat(moved.code()).as(moved.body()).isEqualTo(200);
    assertThat(moved.at("/status/storedVersions/1")).isEqualTo("v1alpha2");
    assertThat(api.get(OLD + "/one").at("/spec/old")).isEmpty();
    String before = api.get(NEW + "/one").at("/metadata/resourceVersion");
    Answer same = patch(NEW + "/one", MERGE, "{}");
    assertThat(same.at("/metadata/resourceVersion")).isNotEqualTo(before);
    assertThat(same.at("/metadata/generation")).isEqualTo("1");
    assertThat(api.get(OLD + "/one").at("/spec/old")).isEqualTo("3");
    assertThat(patch(NEW + "/one", MERGE, "{}").at("/metadata/resourceVersion"))
        .isEqualTo(same.at("/metadata/resourceVersion"));
  }

  @Test
  void aVersionIsRemovedOnceNothingIsStoredInIt() {
    String path = DEFINITIONS + "/jobsets.crd.example.com";
    api.post(NEW, jobSet("v1beta1", "'spec': {}"));
    String swapped =
        DEFINITION
            .replace("\"storage\": true", "\"storage\": no")
            .replace("\"storage\": false", "\"storage\": true")
            .replace("\"storage\": no", "\"storage\": false");
    patch(path, MERGE, swapped);
    ObjectNode only = Json.parse(swapped);
    ((ArrayNode) only.at("/spec/versions")).remove(1);
    Answer early = patch(path, MERGE, only.toString());
    assertThat(early.causes()).containsExactly("status.storedVersions[0]");
    Answer none = patch(path + "/status", MERGE, "{'status': {'storedVersions': ['v1beta1']}}");
    assertThat(none.causes()).containsExactly("status.storedVersions");
    assertThat(patch(NEW + "/one", MERGE, "{}").code()).isEqualTo(200);
    Answer told = patch(path + "/status", MERGE, "{'status': {'storedVersions': ['v1alpha2']}}");
    assertThat(told.code()).as(told.body()).isEqualTo(200);
    Answer removed = patch(path, MERGE, only.toString());
    assertThat(removed.code()).as(removed.body()).isEqualTo(200);
    assertThat(api.get(NEW + "/one").code()).isEqualTo(404);
    assertThat(api.get(OLD + "/one").at("/apiVersion")).isEqualTo("crd.example.com/v1alpha2");
  }

  @Test
  void membersThatTheStoredVersionDoesNotHaveAreLost() {
    String pruning = DEFINITION.replace("\"x-kubernetes-preserve-unknown-fields\": true,", "");
    assertThat(patch(DEFINITIONS + "/jobsets.crd.example.com", MERGE, pruning).code())
        .isEqualTo(200);
    Answer created = api.post(OLD, jobSet("v1alpha2", "'spec': {'old': 7, 'args': ['a']}"));
    assertThat(created.code()).as(created.body()).isEqualTo(201);
    assertThat(created.at("/spec/old")).isEmpty();
    assertThat(created.at("/spec/args/0")).isEqualTo("a");
    assertThat(api.get(NEW + "/one").at("/spec/new")).isEqualTo("3");
    assertThat(api.get(OLD + "/one").at("/spec/new")).isEmpty();
  }

  @Test
  void managersOwnTheItemsOfMapListsAndSets() {
    assertThat(apply(NEW + "/one", "me", "'spec': {'ports': [{'port': 1}], 'names': ['a']}").code())
        .isEqualTo(201);
    Answer both =
        apply(
            NEW + "/one",
            "you",
            "'spec': {'ports': [{'port': 1, 'protocol': 'UDP'}, {'port': 2}], 'names': ['b']}");
    assertThat(both.code()).as(both.body()).isEqualTo(200);
    assertThat(both.at("/spec/ports/2/port")).isEqualTo("2");
    assertThat(both.at("/spec/names/1")).isEqualTo("b");
    assertThat(both.body()).contains("k:{\\\"port\\\":1,\\\"protocol\\\":\\\"UDP\\\"}");
    Answer fewer = apply(NEW + "/one", "you", "'spec': {}");
    assertThat(fewer.at("/spec/ports/0/protocol")).isEqualTo("TCP");
    assertThat(fewer.at("/spec/ports/1")).isEmpty();
    assertThat(fewer.at("/spec/names/1")).isEmpty();
  }

  @Test
  void atomicMapsAndListsHaveOneOwner() {
    apply(NEW + "/one", "me", "'spec': {'selector': {'a': 'b'}, 'args': ['a']}");
    Answer selector = apply(NEW + "/one", "you", "'spec': {'selector': {'c': 'd'}}");
    assertThat(selector.code()).isEqualTo(409);
    assertThat(selector.body()).contains(".spec.selector");
    assertThat(apply(NEW + "/one", "you", "'spec': {'args': ['b']}").code()).isEqualTo(409);
  }

  @Test
  void theStatusIsAppliedByTheTypesOfItsConditions() {
    apply(NEW + "/one", "me", "'spec': {'suspend': true}");
    String status = NEW + "/one/status";
    String ready = "'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}";
    Answer first = apply(status, "me", "'spec': {'suspend': false}, " + ready);
    assertThat(first.code()).as(first.body()).isEqualTo(200);
    assertThat(first.at("/spec/suspend")).isEqualTo("true");
    Answer second =
        apply(status, "you", "'status': {'conditions': [{'type': 'Done', 'status': 'False'}]}");
    assertThat(second.at("/status/conditions/0/type")).isEqualTo("Ready");
    assertThat(second.at("/status/conditions/1/type")).isEqualTo("Done");
    assertThat(second.body()).contains("k:{\\\"type\\\":\\\"Done\\\"}");
    Answer taken = apply(status, "you", ready.replace("True", "False"));
    assertThat(taken.code()).isEqualTo(409);
    assertThat(taken.body()).contains("status.conditions[type=\\\"Ready\\\"].status");
    Answer forced =
        patch(
            status + "?fieldManager=you&force=true",
            APPLY,
            jobSet("v1beta1", ready.replace("True", "False")));
    assertThat(forced.at("/status/conditions/0/status")).isEqualTo("False");
  }

  @Test
  void keysOfAppliedItemsAreUnique() {
    Answer refused = apply(NEW + "/one", "me", "'spec': {'ports': [{'port': 1}, {'port': 1}]}");
    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.body())
        .contains(".spec.ports: duplicate entries for key [port=1,protocol=\\\"TCP\\\"]");
  }
}
