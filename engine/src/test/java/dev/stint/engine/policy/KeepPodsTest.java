package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.options.KeptPods;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class KeepPodsTest {
  private static final PodView FIRST = pod("a", "Succeeded", 1);
  private static final PodView SECOND = pod("b", "Failed", 2);
  private static final PodView THIRD = pod("c", "Succeeded", 3);
  private static final PodView FOURTH = pod("d", "Failed", 4);

  private static PodView pod(String name, String phase, int second) {
    ObjectNode pod = Json.object();
    pod.putObject("metadata")
        .put("name", name)
        .put("creationTimestamp", "2026-01-01T00:00:0" + second + "Z");
    pod.putObject("status").put("phase", phase);
    return PodView.of(KubeObject.of(pod));
  }

  private static List<PodView> surplus(boolean onlyFailed, int most) {
    return KeepPods.surplus(
        new KeptPods(onlyFailed, most), Stream.of(SECOND, FIRST, FOURTH, THIRD));
  }

  @Test
  void theNewestPodsStay() {
    assertThat(surplus(false, 0)).containsExactly(FOURTH, THIRD, SECOND, FIRST);
    assertThat(surplus(false, 1)).containsExactly(THIRD, SECOND, FIRST);
    assertThat(surplus(false, 4)).isEmpty();
  }

  @Test
  void failedPodsStayUpToABound() {
    assertThat(surplus(true, 1000)).containsExactly(THIRD, FIRST);
    assertThat(surplus(true, 1)).containsExactly(THIRD, SECOND, FIRST);
  }
}
