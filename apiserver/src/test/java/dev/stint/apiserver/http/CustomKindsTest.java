package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.model.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Custom kinds, as clients see them. */
class CustomKindsTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String CRONTABS = "/apis/stable.example.com/v1/namespaces/default/crontabs";
  private static final String DEFINITION =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "crontabs.stable.example.com"},
       "spec": {
         "group": "stable.example.com", "scope": "Namespaced",
         "names": {"plural": "crontabs", "kind": "CronTab", "shortNames": ["ct"],
                   "categories": ["all"]},
         "versions": [{
           "name": "v1", "served": true, "storage": true,
           "subresources": {"status": {}},
           "additionalPrinterColumns": [
             {"name": "Spec", "type": "string", "jsonPath": ".spec.cronSpec"},
             {"name": "Ready", "type": "string",
              "jsonPath": ".status.conditions[?(@.type==\\"Ready\\")].status"}],
           "selectableFields": [{"jsonPath": ".spec.cronSpec"}],
           "schema": {"openAPIV3Schema": {
             "type": "object",
             "properties": {
               "spec": {"type": "object", "required": ["cronSpec"], "properties": {
                 "cronSpec": {"type": "string", "description": "When it runs."},
                 "replicas": {"type": "integer", "minimum": 1, "default": 1}}},
               "status": {"type": "object", "properties": {
                 "conditions": {"type": "array", "items": {"type": "object", "properties": {
                   "type": {"type": "string"}, "status": {"type": "string"}}}}}}}}}}]}}
      """;

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  private static String cronTab(String spec) {
    return "{'apiVersion': 'stable.example.com/v1', 'kind': 'CronTab', 'metadata': {'name': 'one'},"
        + " 'spec': "
        + spec
        + "}";
  }

  private Answer define() {
    Answer defined = api.post(DEFINITIONS, DEFINITION);
    assertThat(defined.code()).as(defined.body()).isEqualTo(201);
    return defined;
  }

  private Answer patch(String path, String type, String body) {
    return api.call("PATCH", path, body.replace('\'', '"'), Map.of("Content-Type", type));
  }

  @Test
  void aDefinitionIsEstablishedAndServedAtOnce() {
    assertThat(api.get(CRONTABS).code()).isEqualTo(404);
    Answer defined = define();
    assertThat(defined.at("/status/conditions/1/type")).isEqualTo("Established");
    assertThat(defined.at("/status/acceptedNames/listKind")).isEqualTo("CronTabList");
    assertThat(defined.at("/status/storedVersions/0")).isEqualTo("v1");
    assertThat(api.get(CRONTABS).at("/kind")).isEqualTo("CronTabList");
    Answer group = api.get("/apis/stable.example.com/v1");
    assertThat(group.at("/resources/0/singularName")).isEqualTo("crontab");
    assertThat(group.at("/resources/0/shortNames/0")).isEqualTo("ct");
    assertThat(group.at("/resources/1/name")).isEqualTo("crontabs/status");
    assertThat(api.get("/apis").body()).contains("stable.example.com");
  }

  @Test
  void aFaultyDefinitionIsRefused() {
    Answer refused =
        api.post(DEFINITIONS, DEFINITION.replace("\"type\": \"integer\"", "\"type\": \"odd\""));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.body()).contains("openAPIV3Schema");
    assertThat(api.get(CRONTABS).code()).isEqualTo(404);
  }

  @Test
  void objectsHaveTheDefaultsAndRulesOfTheirSchema() {
    define();
    Answer created = api.post(CRONTABS, cronTab("{'cronSpec': '* * * * 5', 'odd': 1}"));
    assertThat(created.code()).as(created.body()).isEqualTo(201);
    assertThat(created.at("/spec/replicas")).isEqualTo("1");
    assertThat(created.at("/metadata/generation")).isEqualTo("1");
    assertThat(created.body()).doesNotContain("odd");
    Answer refused = api.post(CRONTABS, cronTab("{'replicas': 0}").replace("one", "two"));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.body())
        .contains("spec.replicas in body should be greater than or equal to 1")
        .contains("spec.cronSpec: Required value");
  }

  @Test
  void listsThatAreMapsHoldNoKeyTwice() {
    Answer defined =
        api.post(
            DEFINITIONS,
            DEFINITION.replace(
                "\"conditions\": {\"type\": \"array\", \"items\": {",
                "\"conditions\": {\"type\": \"array\", \"x-kubernetes-list-type\": \"map\","
                    + " \"x-kubernetes-list-map-keys\": [\"type\"],"
                    + " \"items\": {\"required\": [\"type\"],"));
    assertThat(defined.code()).as(defined.body()).isEqualTo(201);
    api.post(CRONTABS, cronTab("{'cronSpec': '* * * * 5'}"));
    Answer refused =
        patch(
            CRONTABS + "/one/status",
            MERGE,
            "{'status': {'conditions': [{'type': 'Ready'}, {'type': 'Ready'}]}}");
    assertThat(refused.code()).as(refused.body()).isEqualTo(422);
    assertThat(refused.body()).contains("status.conditions[1]: Duplicate value");
  }

  @Test
  void unknownFieldsAreRefusedIfTheClientWantsThat() {
    define();
    Answer refused =
        api.post(
            CRONTABS + "?fieldValidation=Strict", cronTab("{'cronSpec': '* * * * 5', 'odd': 1}"));
    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.body()).contains("strict decoding error: unknown field \\\"spec.odd\\\"");
    Answer applied =
        patch(
            CRONTABS + "/one?fieldManager=me",
            APPLY,
            cronTab("{'cronSpec': '* * * * 5', 'odd': 1}"));
    assertThat(applied.code()).as(applied.body()).isEqualTo(400);
    assertThat(applied.body())
        .contains("stable.example.com/v1, Kind=CronTab): .spec.odd: field not declared in schema");
  }

  @Test
  void theStatusIsWrittenByItself() {
    define();
    api.post(CRONTABS, cronTab("{'cronSpec': '* * * * 5'}"));
    String one = CRONTABS + "/one";
    Answer ready =
        patch(
            one + "/status",
            MERGE,
            "{'spec': {'replicas': 5},"
                + " 'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}}");
    assertThat(ready.code()).as(ready.body()).isEqualTo(200);
    assertThat(ready.at("/spec/replicas")).isEqualTo("1");
    assertThat(ready.at("/metadata/generation")).isEqualTo("1");
    Answer changed = patch(one, MERGE, "{'spec': {'replicas': 5}, 'status': null}");
    assertThat(changed.at("/metadata/generation")).isEqualTo("2");
    assertThat(changed.at("/status/conditions/0/status")).isEqualTo("True");
    Answer table =
        api.call(
            "GET", CRONTABS, "", Map.of("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"));
    assertThat(table.at("/columnDefinitions/2/name")).isEqualTo("Ready");
    assertThat(table.at("/rows/0/cells/1")).isEqualTo("* * * * 5");
    assertThat(table.at("/rows/0/cells/2")).isEqualTo("True");
  }

  @Test
  void objectsAreAppliedPatchedSelectedAndDeleted() {
    define();
    String one = CRONTABS + "/one";
    Answer applied = patch(one + "?fieldManager=me", APPLY, cronTab("{'cronSpec': '* * * * 5'}"));
    assertThat(applied.code()).as(applied.body()).isEqualTo(201);
    Answer conflict = patch(one + "?fieldManager=you", APPLY, cronTab("{'cronSpec': '1 * * * 5'}"));
    assertThat(conflict.code()).isEqualTo(409);
    assertThat(patch(one, "application/strategic-merge-patch+json", "{}").code()).isEqualTo(415);
    assertThat(api.get(CRONTABS + "?fieldSelector=spec.cronSpec%3Dnone").body())
        .contains("\"items\":[]");
    assertThat(api.call("DELETE", one, "", Map.of()).code()).isEqualTo(200);
    assertThat(api.get(one).code()).isEqualTo(404);
  }

  private void storeOne(String spec) {
    String stored =
        "{'apiVersion': 'stable.example.com/v1', 'kind': 'CronTab', 'metadata': {'name': 'one',"
            + " 'namespace': 'default', 'uid': 'u'}, 'spec': %s}";
    api.store(
        "/registry/stable.example.com/crontabs/default/one",
        stored.formatted(spec).replace('\'', '"'));
  }

  /** Stored before the schema had the default. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec.cronSpec%3Dhourly",
        "metadata.name%3Done,spec.cronSpec%3Dhourly",
        "spec.cronSpec%3Dhourly,metadata.namespace%3Ddefault",
        "metadata.name%3Done,spec.cronSpec!%3D"
      })
  void objectsAreSelectedAsTheyAreShown(String selector) {
    String changed =
        DEFINITION
            .replace("\"required\": [\"cronSpec\"], ", "")
            .replace(
                "\"string\", \"description\"",
                "\"string\", \"default\": \"hourly\", \"description\"");
    assertThat(api.post(DEFINITIONS, changed).code()).isEqualTo(201);
    storeOne("{}");
    assertThat(api.get(CRONTABS + "?fieldSelector=" + selector).at("/items/0/spec/cronSpec"))
        .isEqualTo("hourly");
  }

  /** Stored when the field was one of another type, and not selectable. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'a': 1}", "[1]"})
  void aSelectedFieldMayHoldAnObject(String value) {
    define();
    storeOne("{'cronSpec': " + value + "}");
    Answer none = api.get(CRONTABS + "?fieldSelector=spec.cronSpec%3Dx");
    assertThat(none.code()).as(none.body()).isEqualTo(200);
    assertThat(none.body()).contains("\"items\":[]");
    assertThat(api.get(CRONTABS + "?fieldSelector=spec.cronSpec!%3Dx").at("/items/0/metadata/name"))
        .isEqualTo("one");
  }

  @Test
  void openApiDescribesThem() {
    define();
    assertThat(api.get("/openapi/v3").body()).contains("apis/stable.example.com/v1");
    assertThat(api.get("/openapi/v3/apis/stable.example.com/v1").body())
        .contains("com.example.stable.v1.CronTab")
        .contains("When it runs.");
  }

  @Test
  void whatNamesTheKindNeverChanges() {
    define();
    Answer refused =
        patch(
            DEFINITIONS + "/crontabs.stable.example.com", MERGE, "{'spec': {'scope': 'Cluster'}}");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.body()).contains("field is immutable");
  }

  @Test
  void listsHaveTheirOwnKindAndTheirItemsStateTheirs() {
    Answer defined =
        api.post(
            DEFINITIONS,
            DEFINITION.replace(
                "\"kind\": \"CronTab\",", "\"kind\": \"CronTab\", \"listKind\": \"Tabs\","));
    assertThat(defined.code()).as(defined.body()).isEqualTo(201);
    api.post(CRONTABS, cronTab("{'cronSpec': '* * * * 5'}"));
    Answer list = api.get(CRONTABS);
    assertThat(list.at("/kind")).isEqualTo("Tabs");
    assertThat(list.at("/items/0/kind")).isEqualTo("CronTab");
    assertThat(list.at("/items/0/apiVersion")).isEqualTo("stable.example.com/v1");
    assertThat(api.get("/openapi/v3/apis/stable.example.com/v1").body())
        .contains("\"com.example.stable.v1.Tabs\"");
  }

  @Test
  void nothingIsCreatedWhileTheDefinitionIsBeingDeleted() {
    define();
    api.post(CRONTABS, cronTab("{'cronSpec': '* * * * 5'}"));
    Answer deleted = api.call("DELETE", DEFINITIONS + "/crontabs.stable.example.com", "", Map.of());
    assertThat(deleted.at("/status/conditions/2/type")).isEqualTo("Terminating");
    Answer refused = api.post(CRONTABS, cronTab("{'cronSpec': '* * * * 5'}").replace("one", "two"));
    assertThat(refused.code()).isEqualTo(405);
    assertThat(patch(CRONTABS + "/one", MERGE, "{'spec': {'replicas': 5}}").code()).isEqualTo(200);
    assertThat(api.get("/apis/stable.example.com/v1").tree().at("/resources/0/verbs").toString())
        .contains("update")
        .doesNotContain("create");
  }

  /** By its file, which has no finalizers. */
  @Test
  void aReplacedDefinitionIsHeldByItsObjects() {
    ObjectNode replacement = Json.parse(DEFINITION);
    String revision = define().at("/metadata/resourceVersion");
    replacement.withObjectProperty("metadata").put("resourceVersion", revision);
    String definition = DEFINITIONS + "/crontabs.stable.example.com";
    Answer replaced = api.call("PUT", definition, replacement.toString(), Map.of());
    assertThat(replaced.code()).as(replaced.body()).isEqualTo(200);
    api.post(CRONTABS, cronTab("{'cronSpec': '* * * * 5'}"));
    Answer deleted = api.call("DELETE", definition, "", Map.of());
    assertThat(deleted.at("/metadata/finalizers/0"))
        .isEqualTo("customresourcecleanup.apiextensions.k8s.io");
    assertThat(deleted.at("/status/conditions/2/type")).isEqualTo("Terminating");
    assertThat(api.get(CRONTABS + "/one").code()).isEqualTo(200);
    Answer released = patch(definition, MERGE, "{'metadata': {'finalizers': null}}");
    assertThat(released.code()).as(released.body()).isEqualTo(200);
    assertThat(api.get(definition).code()).isEqualTo(404);
  }

  @Test
  void unknownFieldsOfADefinitionAreRemovedToldAndRefused() {
    String odd = DEFINITION.replace("\"scope\":", "\"odd\": 1, \"scope\":");
    Answer refused = api.post(DEFINITIONS + "?fieldValidation=Strict", odd);
    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.body()).contains("strict decoding error: unknown field \\\"spec.odd\\\"");
    Answer created = api.post(DEFINITIONS + "?fieldValidation=Warn", odd);
    assertThat(created.code()).isEqualTo(201);
    assertThat(created.tree().get("spec").has("odd")).isFalse();
  }

  @Test
  void openApiV2HasTheTypesOfCustomKinds() {
    define();
    Answer document = api.get("/openapi/v2");
    ObjectNode definitions = (ObjectNode) document.tree().get("definitions");
    JsonNode type = definitions.get("com.example.stable.v1.CronTab");
    assertThat(type.at("/x-kubernetes-group-version-kind/0/kind").asString()).isEqualTo("CronTab");
    assertThat(type.at("/properties/spec/properties/replicas/minimum").asInt()).isEqualTo(1);
    assertThat(type.at("/properties/metadata/$ref").asString())
        .isEqualTo("#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
    assertThat(definitions.has("io.k8s.api.batch.v1.JobList")).isTrue();
    assertThat(document.body()).doesNotContain("#/components/", "oneOf");
  }

  @Test
  void openApiV3HasThePatchesThatCustomKindsTake() {
    define();
    Answer document = api.get("/openapi/v3/apis/stable.example.com/v1");
    String object = "/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}";
    for (String path : List.of(object, object + "/status")) {
      JsonNode patch = document.tree().path("paths").path(path).path("patch");
      assertThat(patch.at("/requestBody/content").propertyNames())
          .containsExactlyInAnyOrder(APPLY, MERGE, "application/json-patch+json");
    }
  }

  @Test
  void anObjectStatesItsKind() {
    define();
    Answer refused = api.post(CRONTABS, "{}");
    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.body()).contains("Object 'Kind' is missing");
  }

  @Test
  void pathsOfTheOtherScopeLeadNowhere() {
    define();
    String all = "/apis/stable.example.com/v1/crontabs";
    assertThat(api.get(all).code()).isEqualTo(200);
    assertThat(api.post(all, cronTab("{'cronSpec': '* * * * 5'}")).code()).isEqualTo(404);
    assertThat(api.get(all + "/one").code()).isEqualTo(404);
    assertThat(api.call("DELETE", all, "", Map.of()).code()).isEqualTo(404);
  }

  @Test
  void definitionsTakeStrategicPatches() {
    define();
    String one = DEFINITIONS + "/crontabs.stable.example.com";
    Answer patched =
        patch(
            one,
            "application/strategic-merge-patch+json",
            "{'metadata': {'finalizers': ['example.com/a'], 'labels': {'a': 'b'}}}");
    assertThat(patched.code()).as(patched.body()).isEqualTo(200);
    assertThat(patched.at("/metadata/finalizers/0")).isEqualTo("example.com/a");
    assertThat(patched.at("/metadata/labels/a")).isEqualTo("b");
  }

  @Test
  void kubernetesOwnGroupsSayWhetherTheyAreApproved() {
    String own = DEFINITION.replace("stable.example.com", "stable.k8s.io");
    assertThat(api.post(DEFINITIONS, own).body()).contains("api-approved.kubernetes.io");
    Answer approved =
        api.post(
            DEFINITIONS,
            own.replaceFirst(
                "\"metadata\": \\{",
                "\"metadata\": {\"annotations\": {\"api-approved.kubernetes.io\":"
                    + " \"https://example.com/1\"},"));
    assertThat(approved.code()).as(approved.body()).isEqualTo(201);
    assertThat(approved.body())
        .contains("\"KubernetesAPIApproved\"", "approved in https://example.com/1");
  }
}
