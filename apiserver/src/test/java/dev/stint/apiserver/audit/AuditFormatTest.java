package dev.stint.apiserver.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class AuditFormatTest {
  private static final ObjectNode EVENT =
      Json.parse(
          """
          {"auditID": "a1", "stage": "ResponseComplete", "requestURI": "/api/v1/namespaces/ci/pods",
           "verb": "create", "user": {"username": "jane", "groups": ["devs", "ops"]},
           "impersonatedUser": {"username": "bob"}, "sourceIPs": ["10.0.0.1"],
           "userAgent": "kubectl\\nstage=\\"x\\"", "objectRef": {"namespace": "ci"},
           "responseStatus": {"code": 201}, "stageTimestamp": "2026-11-23T10:00:00.000000Z"}
          """);

  @Test
  void anEventIsOneLineOfJson() {
    String line = new String(AuditFormat.JSON.line(EVENT), UTF_8);
    assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
    assertThat(Json.parse(line)).isEqualTo(EVENT);
  }

  @Test
  void anEventIsOneLineOfNamesAndValues() {
    assertThat(new String(AuditFormat.LEGACY.line(EVENT), UTF_8))
        .isEqualTo(
            "2026-11-23T10:00:00.000000Z AUDIT: id=\"a1\" stage=\"ResponseComplete\""
                + " ip=\"10.0.0.1\" method=\"create\" user=\"jane\" groups=\"devs\",\"ops\""
                + " as=\"bob\" asgroups=\"<lookup>\" user-agent=\"kubectl\\nstage=\\\"x\\\"\""
                + " namespace=\"ci\" uri=\"/api/v1/namespaces/ci/pods\" response=\"201\"\n");
  }

  @Test
  void missingValuesAreNamed() {
    assertThat(new String(AuditFormat.LEGACY.line(Json.object()), UTF_8))
        .contains(
            "ip=\"<unknown>\"", "user=\"<none>\"", "as=\"<self>\"", "response=\"<deferred>\"");
  }
}
