package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvictedPodsTest {
  private static final String END = "2026-01-01T00:01:00Z";

  /** A pod that exited at {@link #END}. */
  private static PodView pod(String phase, String metadata, String conditions) {
    String json =
        """
        {'metadata': {'name': 'p', 'uid': 'u', 'creationTimestamp': '2026-01-01T00:00:00Z' %s},
         'status': {'phase': '%s', 'conditions': [%s], 'containerStatuses': [{'name': 'main',
           'state': {'terminated': {'exitCode': 0, 'finishedAt': '%s'}}}]}}\
        """
            .formatted(metadata, phase, conditions, END);
    return PodView.of(KubeObject.of(Json.parse(json.replace('\'', '"'))));
  }

  private static JobOptions options(String value) {
    String annotation = JobOptions.EVICTED_IS_NOT_DONE;
    String json = "{'metadata':{'annotations':{'" + annotation + "':'" + value + "'}}}";
    return JobOptions.of(KubeObject.of(Json.parse(json.replace('\'', '"'))));
  }

  private static PodPhase judged(PodView pod) {
    return EvictedPods.judge(pod, options("true")).phase();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:01:20Z, 30, Failed",
    "2026-01-01T00:01:30Z, 30, Failed", // In the second of its end.
    "2026-01-01T00:01:31Z, 30, Succeeded",
    "2026-01-01T00:00:59Z, 0, Failed",
    "2026-01-01T00:01:01Z, 0, Succeeded"
  })
  void aDeletionThatWasAskedForBeforeTheEnd(String deadline, int grace, PodPhase phase) {
    String deletion =
        ", 'deletionTimestamp': '%s', 'deletionGracePeriodSeconds': %d".formatted(deadline, grace);
    assertThat(judged(pod("Succeeded", deletion, ""))).isEqualTo(phase);
  }

  @ParameterizedTest
  @CsvSource({
    "DisruptionTarget, True, 2026-01-01T00:00:30Z, Failed",
    "DisruptionTarget, True, 2026-01-01T00:01:01Z, Succeeded",
    "DisruptionTarget, False, 2026-01-01T00:00:30Z, Succeeded",
    "Ready, True, 2026-01-01T00:00:30Z, Succeeded"
  })
  void aDisruptionBeforeTheEnd(String type, String status, String time, PodPhase phase) {
    String condition =
        "{'type': '%s', 'status': '%s', 'lastTransitionTime': '%s'}".formatted(type, status, time);
    PodView pod = pod("Succeeded", "", condition);
    assertThat(judged(pod)).isEqualTo(phase);
    assertThat(pod.conditions().isEmpty()).isEqualTo(phase == PodPhase.Succeeded);
  }

  @Test
  void onlyAJobThatSaysSoIsConcerned() {
    PodView pod = pod("Succeeded", ", 'deletionTimestamp': '2026-01-01T00:00:30Z'", "");
    assertThat(EvictedPods.judge(pod, options("false"))).isSameAs(pod);
    assertThat(EvictedPods.judge(pod, JobOptions.NONE)).isSameAs(pod);
    assertThat(judged(pod)).isEqualTo(PodPhase.Failed);
  }

  @Test
  void otherPodsStayAsTheyAre() {
    for (String phase : List.of("Pending", "Running", "Failed")) {
      PodView pod = pod(phase, ", 'deletionTimestamp': '2026-01-01T00:00:30Z'", "");
      assertThat(EvictedPods.judge(pod, options("true"))).isSameAs(pod);
    }
  }

  @Test
  void aMessageNamesAFew() {
    assertThat(EvictedPods.message(List.of("a"))).endsWith(": pod a");
    assertThat(EvictedPods.message(IntStream.range(0, 7).mapToObj(i -> "p" + i).toList()))
        .endsWith(": pods p0, p1, p2, p3, p4 and 2 more");
  }
}
