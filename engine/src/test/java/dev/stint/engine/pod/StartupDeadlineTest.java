package dev.stint.engine.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StartupDeadlineTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static PodView pod(String phase) {
    ObjectNode pod = Json.object();
    pod.putObject("metadata").put("creationTimestamp", "2026-01-01T00:00:00Z");
    pod.putObject("status").put("phase", phase);
    return PodView.of(KubeObject.of(pod));
  }

  @Test
  void onlyAPodThatWaitsHasADeadline() {
    PodView pod = pod("Pending");
    assertThat(StartupDeadline.of(LIMIT, pod)).isEqualTo(pod.created().plus(LIMIT));
    assertThat(StartupDeadline.of(null, pod)).isNull();
    assertThat(StartupDeadline.of(LIMIT, pod("Running"))).isNull();
    assertThat(StartupDeadline.of(LIMIT, pod.asDeleting())).isNull();
  }

  @Test
  void thePodMayStartUntilTheDeadline() {
    PodView pod = pod("Pending");
    assertThat(StartupDeadline.isPast(LIMIT, pod, pod.created().plus(LIMIT))).isTrue();
    assertThat(StartupDeadline.isPast(LIMIT, pod, pod.created().plus(LIMIT).minusNanos(1)))
        .isFalse();
  }
}
