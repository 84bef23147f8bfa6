package dev.stint.apiserver.http.view;

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
    ObjectNode shown = new EventView().shown(KEPT);
    assertThat(shown)
        .isEqualTo(
            Json.parse(
                """
                {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "e"}, "reason": "R",
                 "note": "m", "regarding": {"kind": "Job"}, "deprecatedSource": {"component": "c"},
                 "deprecatedCount": 2, "deprecatedFirstTimestamp": "2026-01-01T00:00:00Z",
                 "deprecatedLastTimestamp": null, "reportingController": "c"}
                """));
    assertThat(new EventView().kept(shown, null)).isEqualTo(KEPT);
  }

  @Test
  void whatNobodyReportsIsNotShown() {
    ObjectNode kept = KEPT.deepCopy().put("reportingComponent", "");
    assertThat(new EventView().shown(kept).has("reportingController")).isFalse();
  }

  @Test
  void allElseLooksAsItIsKept() {
    assertThat(new PlainView().shown(KEPT)).isSameAs(KEPT);
    assertThat(new PlainView().kept(KEPT, null)).isSameAs(KEPT);
  }
}
