package dev.stint.apiserver.http.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ObjectViewTest {
  private static final ObjectNode KEPT =
      Json.parse(
          """
          {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e"}, "reason": "R", "message": "m",
           "involvedObject": {"kind": "Job"}, "source": {"component": "c"}, "count": 2,
           "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": null, "reportingComponent": "c"}
          """);

  @Test
  void anEventHasOtherNamesInItsOtherGroupAndLosesNothing() {
    ObjectNode shown = ObjectView.EVENTS.shown(KEPT);
    assertThat(shown)
        .isEqualTo(
            Json.parse(
                """
                {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "e"}, "reason": "R",
                 "note": "m", "regarding": {"kind": "Job"}, "deprecatedSource": {"component": "c"},
                 "deprecatedCount": 2, "deprecatedFirstTimestamp": "2026-01-01T00:00:00Z",
                 "deprecatedLastTimestamp": null, "reportingController": "c"}
                """));
    assertThat(ObjectView.EVENTS.kept(shown)).isEqualTo(KEPT);
  }

  @Test
  void whatNobodyReportsIsNotShown() {
    ObjectNode kept = KEPT.deepCopy().put("reportingComponent", "");
    assertThat(ObjectView.EVENTS.shown(kept).has("reportingController")).isFalse();
  }

  @Test
  void allElseLooksAsItIsKept() {
    assertThat(ObjectView.PLAIN.shown(KEPT)).isSameAs(KEPT);
    assertThat(ObjectView.PLAIN.kept(KEPT)).isSameAs(KEPT);
  }
}
