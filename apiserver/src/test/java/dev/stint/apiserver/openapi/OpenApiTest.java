package dev.stint.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.model.Json;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class OpenApiTest {
  private static final OpenApi OPEN_API = new OpenApi(TestCatalogue.BUILT_IN);

  private static final String BATCH = "io.k8s.api.batch.v1.";
  private static final String CORE = "io.k8s.api.core.v1.";

  @Test
  void indexesEveryGroupAndVersionWithAHashOfItsDocument() {
    JsonNode paths = Json.parse(OPEN_API.index()).get("paths");

    for (GroupVersion served : TestCatalogue.BUILT_IN.groupVersions()) {
      String path = served.path();
      assertThat(paths.get(path).get("serverRelativeURL").stringValue())
          .isEqualTo("/openapi/v3/" + path + "?hash=" + OPEN_API.hash(path).orElseThrow());
    }
    assertThat(paths).hasSize(TestCatalogue.BUILT_IN.groupVersions().size());
    assertThat(OPEN_API.document("apis/nope/v1")).isEmpty();
  }

  @Test
  void refersOnlyToSchemasThatAreThere() {
    for (GroupVersion served : TestCatalogue.BUILT_IN.groupVersions()) {
      JsonNode document = document(served.path());
      Set<String> references = new HashSet<>();
      references(document, references);

      assertThat(references)
          .isNotEmpty()
          .allSatisfy(reference ->
              assertThat(document.get("components").get("schemas").has(reference))
                  .as("%s in %s", reference, served)
                  .isTrue());
    }
  }

  @Test
  void namesTheKindsOfSchemas() {
    JsonNode job = schema("apis/batch/v1", BATCH + "Job");

    assertThat(job.get("x-kubernetes-group-version-kind").toString())
        .isEqualTo("[{\"group\":\"batch\",\"kind\":\"Job\",\"version\":\"v1\"}]");
    assertThat(schema("apis/batch/v1", BATCH + "JobList").get("properties").has("items")).isTrue();
    assertThat(
            schema("apis/batch/v1", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta").isObject())
        .isTrue();
  }

  @Test
  void asksForWhatTheApiAsksForAndNotForWhatItAlwaysWrites() {
    assertThat(required(schema("apis/batch/v1", BATCH + "JobSpec"))).containsExactly("template");
    assertThat(required(schema("apis/batch/v1", BATCH + "CronJobSpec")))
        .containsExactlyInAnyOrder("jobTemplate", "schedule");
    assertThat(required(schema("apis/batch/v1", BATCH + "Job"))).isEmpty();
    assertThat(required(schema("apis/batch/v1", BATCH + "CronJob"))).containsExactly("spec");
    assertThat(required(schema("apis/batch/v1", BATCH + "JobCondition")))
        .containsExactlyInAnyOrder("type", "status");
    assertThat(required(schema("api/v1", CORE + "PodSpec"))).containsExactly("containers");
    assertThat(required(schema("api/v1", CORE + "Container"))).containsExactly("name");
    assertThat(required(schema("api/v1", CORE + "HTTPGetAction"))).containsExactly("port");
  }

  @Test
  void saysWhatIsThereWhereNothingIsSaid() {
    JsonNode cronJob = schema("apis/batch/v1", BATCH + "CronJob").get("properties");
    JsonNode spec = schema("apis/batch/v1", BATCH + "CronJobSpec").get("properties");
    JsonNode podSpec = schema("api/v1", CORE + "PodSpec").get("properties");
    JsonNode condition = schema("apis/batch/v1", BATCH + "JobCondition").get("properties");

    assertThat(cronJob.get("metadata").get("default")).isEqualTo(Json.object());
    assertThat(spec.get("schedule").get("default").stringValue()).isEmpty();
    assertThat(spec.get("timeZone").has("default")).isFalse();
    assertThat(podSpec.get("containers").get("items").get("default")).isEqualTo(Json.object());
    assertThat(podSpec.get("nodeSelector").get("additionalProperties").get("default").stringValue())
        .isEmpty();
    assertThat(podSpec.get("overhead").get("additionalProperties").propertyNames())
        .containsExactly("$ref");
    assertThat(condition.get("lastProbeTime").has("default")).isFalse();
  }

  @Test
  void namesTheTextsThatAFieldMayHave() {
    JsonNode spec = schema("apis/batch/v1", BATCH + "JobSpec").get("properties");
    assertThat(spec.get("completionMode").get("enum").toString())
        .isEqualTo("[\"Indexed\",\"NonIndexed\"]");
    for (String type : Schema.typeNames()) {
      for (FieldSchema field : Schema.type(type).fields().values()) {
        assertThat(field.values()).as(type + "." + field.name()).isSorted();
      }
    }
  }

  @Test
  void saysHowListsAreMerged() {
    JsonNode podSpec = schema("api/v1", CORE + "PodSpec").get("properties");

    assertThat(podSpec.get("containers").get("x-kubernetes-list-type").stringValue())
        .isEqualTo("map");
    assertThat(podSpec.get("containers").get("x-kubernetes-list-map-keys").toString())
        .isEqualTo("[\"name\"]");
    assertThat(podSpec.get("containers").get("x-kubernetes-patch-merge-key").stringValue())
        .isEqualTo("name");
    assertThat(podSpec.get("volumes").get("x-kubernetes-patch-strategy").stringValue())
        .isEqualTo("merge,retainKeys");
    assertThat(podSpec.get("nodeSelector").get("x-kubernetes-map-type").stringValue())
        .isEqualTo("atomic");
    assertThat(
            schema("api/v1", CORE + "ContainerPort")
                .get("properties")
                .get("protocol")
                .get("default")
                .stringValue())
        .isEqualTo("TCP");
  }

  @Test
  void givesNumbersTimesAndAmountsTheirForms() {
    JsonNode spec = schema("apis/batch/v1", BATCH + "JobSpec").get("properties");

    assertThat(spec.get("completions").get("format").stringValue()).isEqualTo("int32");
    assertThat(schema("api/v1", TypeNames.TIME).get("format").stringValue()).isEqualTo("date-time");
    assertThat(schema("api/v1", TypeNames.INT_OR_STRING).get("format").stringValue())
        .isEqualTo("int-or-string");
    assertThat(schema("api/v1", TypeNames.QUANTITY).get("oneOf")).hasSize(2);
  }

  /** Contains what kubectl looks for before it sends a patch with dryRun or fieldValidation. */
  @Test
  void letsPatchesBeTriedAndCheckedAndApplied() {
    JsonNode patch =
        document("apis/batch/v1")
            .get("paths")
            .get("/apis/batch/v1/namespaces/{namespace}/jobs/{name}")
            .get("patch");
    List<String> parameters = new ArrayList<>();
    patch.get("parameters").forEach(p -> parameters.add(p.get("name").stringValue()));

    assertThat(parameters).contains("dryRun", "fieldValidation", "fieldManager", "force");
    assertThat(patch.get("x-kubernetes-action").stringValue()).isEqualTo("patch");
    assertThat(patch.get("x-kubernetes-group-version-kind").get("kind").stringValue())
        .isEqualTo("Job");
    assertThat(patch.get("requestBody").get("content").propertyNames())
        .contains("application/apply-patch+yaml", "application/strategic-merge-patch+json");
  }

  @Test
  void hasAPathForEveryResourceAndSubresource() {
    for (ApiResource resource : TestCatalogue.BUILT_IN.all()) {
      JsonNode paths = document(resource.groupVersion().path()).get("paths");
      String path =
          "/"
              + resource.groupVersion().path()
              + (resource.namespaced() ? "/namespaces/{namespace}/" : "/")
              + resource.name();

      assertThat(paths.has(path)).as(path).isTrue();
      resource
          .subresources()
          .forEach(s -> assertThat(paths.has(path + "/{name}/" + s.name())).as(path).isTrue());
    }
  }

  @Test
  void namesEveryOperationOnce() {
    for (GroupVersion served : TestCatalogue.BUILT_IN.groupVersions()) {
      List<String> names = new ArrayList<>();
      for (JsonNode path : document(served.path()).get("paths")) {
        path.valueStream()
            .filter(operation -> operation.has("operationId"))
            .forEach(operation -> names.add(operation.get("operationId").stringValue()));
      }

      assertThat(names).isNotEmpty().doesNotHaveDuplicates();
    }
  }

  private static ObjectNode document(String path) {
    return Json.parse(OPEN_API.document(path).orElseThrow());
  }

  private static JsonNode schema(String path, String name) {
    return document(path).get("components").get("schemas").path(name);
  }

  private static List<String> required(JsonNode schema) {
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.stringValue()));
    return required;
  }

  private static void references(JsonNode tree, Set<String> references) {
    if (tree.path("$ref").isString()) {
      references.add(tree.get("$ref").stringValue().substring("#/components/schemas/".length()));
    }
    tree.forEach(child -> references(child, references));
  }
}
