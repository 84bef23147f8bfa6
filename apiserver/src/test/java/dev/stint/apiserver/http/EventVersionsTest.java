package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Managed fields of events, which are served in two versions with different field names. */
class EventVersionsTest {
  private static final String SHOWN = "/apis/events.k8s.io/v1/namespaces/default/events";
  private static final String CORE = "/api/v1/namespaces/default/events";
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String EVENT =
      """
      {'apiVersion': 'events.k8s.io/v1', 'kind': 'Event', 'metadata': {'name': 'e'}, 'note': 'm',
       'action': 'A', 'reason': 'R', 'type': 'Normal', 'eventTime': '2026-01-01T00:00:00.000000Z',
       'reportingController': 'x.io/c', 'reportingInstance': 'i',
       'regarding': {'kind': 'Job', 'namespace': 'default', 'name': 'j'}}
      """;

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void fieldsHaveTheNamesOfTheVersionThatWasWritten() {
    JsonNode entry = entries(api.post(SHOWN + "?fieldManager=one", EVENT)).get(0);
    assertThat(entry.path("apiVersion").asString("")).isEqualTo("events.k8s.io/v1");
    assertThat(entry.path("fieldsV1").propertyNames())
        .contains("f:note", "f:regarding", "f:reportingController")
        .doesNotContain("f:message", "f:involvedObject", "f:reportingComponent");
  }

  @Test
  void entriesOfTheOtherVersionGoWithTheNextChange() {
    api.post(SHOWN + "?fieldManager=one", EVENT);
    List<JsonNode> entries = entries(patch(CORE, MERGE, "fieldManager=two", "{'message': 'n'}"));
    assertThat(entries).hasSize(1);
    assertThat(entries.getFirst().path("apiVersion").asString("")).isEqualTo("v1");
    assertThat(entries.getFirst().path("fieldsV1").propertyNames()).containsExactly("f:message");
  }

  @Test
  void managersOfTheVersionThatIsWrittenAreChecked() {
    String entry =
        "'managedFields': [{'manager': '%s', 'operation': 'Update', 'apiVersion': '%s',"
            + " 'fieldsType': 'FieldsV1', 'fieldsV1': {'f:note': {}}}], 'name': 'e'";
    String manager = "m".repeat(129);
    String shown = EVENT.replace("'name': 'e'", entry.formatted(manager, "events.k8s.io/v1"));
    assertThat(api.post(SHOWN, shown).causes()).containsOnly("metadata.managedFields[0].manager");
    String core = EVENT.replace("'name': 'e'", entry.formatted(manager, "v1"));
    assertThat(api.post(SHOWN, core).code()).isEqualTo(201);
  }

  @Test
  void anApplyConflictsInTheNamesOfItsVersion() {
    api.post(SHOWN + "?fieldManager=one", EVENT);
    String configuration =
        "{'apiVersion': 'events.k8s.io/v1', 'kind': 'Event', 'note': 'n', 'reason': 'R'}";
    HttpApi.Answer refused = patch(SHOWN, APPLY, "fieldManager=three", configuration);
    assertThat(refused.code()).isEqualTo(409);
    assertThat(refused.causes()).containsExactly(".note");
  }

  @Test
  void anApplierOwnsFieldsInTheVersionThatItApplies() {
    HttpApi.Answer applied = patch(SHOWN, APPLY, "fieldManager=one", EVENT);
    assertThat(applied.code()).isEqualTo(201);
    assertThat(applied.at("/note")).isEqualTo("m");
    JsonNode entry = entries(applied).get(0);
    assertThat(entry.path("apiVersion").asString("")).isEqualTo("events.k8s.io/v1");
    assertThat(entry.path("fieldsV1").propertyNames()).contains("f:note", "f:regarding");
    assertThat(api.get(CORE + "/e").at("/message")).isEqualTo("m");
  }

  private HttpApi.Answer patch(String events, String type, String query, String body) {
    return api.call("PATCH", events + "/e?" + query, body, Map.of("Content-Type", type));
  }

  private static List<JsonNode> entries(HttpApi.Answer answer) {
    return answer.tree().path("metadata").path("managedFields").valueStream().toList();
  }
}
