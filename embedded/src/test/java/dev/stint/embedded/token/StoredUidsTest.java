package dev.stint.embedded.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Tokens end with the objects that they are bound to. */
class StoredUidsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  private static boolean isOver(String kind, String phase, String deleted) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", kind);
    ObjectNode metadata = object.putObject("metadata").put("name", "a");
    if (!deleted.isEmpty()) {
      metadata.put("deletionTimestamp", deleted);
    }
    object.putObject("status").put("phase", phase);
    return StoredUids.isOver(KubeObject.of(object), NOW);
  }

  @Test
  void aPodThatHasEndedIsOver() {
    assertThat(isOver("Pod", "Running", "")).isFalse();
    assertThat(isOver("Pod", "Pending", "")).isFalse();
    assertThat(isOver("Pod", "Succeeded", "")).isTrue();
    assertThat(isOver("Pod", "Failed", "")).isTrue();
    assertThat(isOver("Secret", "Failed", "")).isFalse();
  }

  @Test
  void anObjectThatAFinalizerKeepsIsOverAMinuteAfterItsDeletion() {
    assertThat(isOver("Pod", "Running", "2026-11-23T11:59:30Z")).isFalse();
    assertThat(isOver("Pod", "Running", "2026-11-23T11:58:59Z")).isTrue();
    assertThat(isOver("ServiceAccount", "", "2026-11-23T11:58:59Z")).isTrue();
    assertThat(isOver("Pod", "Running", "2026-11-23T12:05:00Z")).isFalse();
  }
}
