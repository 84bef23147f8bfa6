package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.HttpApi.Answer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Replacements that do not say what they replace: some kinds refuse them. */
class UnconditionalUpdateTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  private static final String CLASSES = "/apis/node.k8s.io/v1/runtimeclasses";
  private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final String PARTS = "/apis/ex.com/v1/namespaces/default/parts";
  private static final String DEFINED = DEFINITIONS + "/parts.ex.com";
  private static final String SERVICE = SERVICES + "/v1.g.ex.com";

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  @BeforeEach
  void create() {
    created(
        DEFINITIONS,
        """
        {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
         'metadata': {'name': 'parts.ex.com'},
         'spec': {'group': 'ex.com', 'scope': 'Namespaced',
           'names': {'plural': 'parts', 'kind': 'Part'},
           'versions': [{'name': 'v1', 'served': true, 'storage': true,
             'subresources': {'status': {}, 'scale': {
               'specReplicasPath': '.spec.replicas', 'statusReplicasPath': '.status.replicas'}},
             'schema': {'openAPIV3Schema': {'type': 'object',
               'x-kubernetes-preserve-unknown-fields': true, 'properties': {
                 'spec': {'type': 'object', 'properties': {'replicas': {'type': 'integer'}}},
                 'status': {'type': 'object', 'properties': {
                   'replicas': {'type': 'integer'}}}}}}}]}}
        """);
    created(
        PARTS,
        "{'apiVersion': 'ex.com/v1', 'kind': 'Part', 'metadata': {'name': 'one'},"
            + " 'spec': {'replicas': 1}}");
    created(BUDGETS, "{'metadata': {'name': 'one'}, 'spec': {'minAvailable': 1}}");
    created(CLASSES, "{'metadata': {'name': 'one'}, 'handler': 'h'}");
    created(
        SERVICES,
        "{'metadata': {'name': 'v1.g.ex.com'}, 'spec': {'group': 'g.ex.com', 'version': 'v1',"
            + " 'groupPriorityMinimum': 100, 'versionPriority': 100}}");
    created(HttpApi.CONFIG_MAPS, HttpApi.configMap("one", "{}"));
  }

  private void created(String collection, String body) {
    Answer created = api.post(collection, body);
    assertThat(created.code()).as(created.body()).isEqualTo(201);
  }

  /** Replaces what is there by itself with a label, as if the writer had not read it. */
  private Answer putUnread(String path, String revision) {
    ObjectNode read = api.get(path).tree();
    ObjectNode metadata = read.withObjectProperty("metadata");
    metadata.withObjectProperty("labels").put("by", "me");
    metadata.put("resourceVersion", revision);
    return api.call("PUT", path, read.toString(), Map.of());
  }

  @ParameterizedTest
  @CsvSource({
    PARTS + "/one,''",
    PARTS + "/one,0",
    PARTS + "/one/status,''",
    DEFINED + ",''",
    DEFINED + "/status,''",
    BUDGETS + "/one,''",
    BUDGETS + "/one/status,''",
    CLASSES + "/one,''",
    SERVICE + ",''",
    SERVICE + "/status,''",
  })
  void someKindsAreReplacedOnlyByWritersWhoReadThem(String path, String revision) {
    String before = api.get(path).body();
    Answer refused = putUnread(path, revision);
    assertThat(refused.code()).as(refused.body()).isEqualTo(422);
    assertThat(refused.causes()).containsExactly("metadata.resourceVersion");
    assertThat(api.get(path).body()).isEqualTo(before);
    String read = api.get(path).at("/metadata/resourceVersion");
    assertThat(putUnread(path, read).code()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {PARTS + "/one/scale", HttpApi.CONFIG_MAPS + "/one"})
  void othersAndScalesAreReplacedByAnybody(String path) {
    Answer written = putUnread(path, "");
    assertThat(written.code()).as(written.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {PARTS + "/one", PARTS + "/one/status", DEFINED, BUDGETS + "/one", SERVICE})
  void patchesNeedNotNameARevision(String path) {
    String label = "{'metadata': {'labels': {'by': 'me'}}}";
    Answer merged = api.call("PATCH", path, label, Map.of("Content-Type", MERGE));
    assertThat(merged.code()).as(merged.body()).isEqualTo(200);
  }

  @Test
  void appliesNeedNotNameARevision() {
    String applied =
        "{'apiVersion': 'ex.com/v1', 'kind': 'Part', 'metadata': {'name': 'one'},"
            + " 'spec': {'replicas': 2}, 'status': {'replicas': 2}}";
    for (String target : new String[] {"", "/status"}) {
      Answer answer =
          api.call(
              "PATCH",
              PARTS + "/one" + target + "?fieldManager=m&force=true",
              applied,
              Map.of("Content-Type", "application/apply-patch+yaml"));
      assertThat(answer.code()).as(answer.body()).isEqualTo(200);
    }
    assertThat(api.get(PARTS + "/one").at("/status/replicas")).isEqualTo("2");
  }
}
