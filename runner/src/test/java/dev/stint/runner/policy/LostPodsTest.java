package dev.stint.runner.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostPodsTest {
  private static final String RUNNING =
      "{'name': '%s', 'containerID': '%s', 'state': {'running': {}}}";
  private static final String INIT = "{'name': 'init'}";
  private static final String SIDECAR = "{'name': 'side', 'restartPolicy': 'Always'}";

  @ParameterizedTest
  @CsvSource({
    "Never, main, earlier, true",
    "OnFailure, main, earlier, true",
    "Never, main, this, false",
    "Never, other, earlier, false",
  })
  void aPodThatRanInAnEarlierBootIsReported(
      String policy, String container, String id, boolean reported) {
    assertThat(isToBeTakenOver(policy, "", RUNNING.formatted(container, id), ""))
        .isEqualTo(reported);
  }

  @Test
  void oneThatHasEndedOrIsNewIsNot() {
    String ended = "{'name': 'main', 'containerID': 'earlier', 'state': {'terminated': {}}}";
    assertThat(isToBeTakenOver("Never", "", ended, "")).isFalse();
    assertThat(
            LostPods.isToBeTakenOver(
                pod("{'spec': {'containers': [{'name': 'main'}]}, 'status': {}}"), _ -> true))
        .isFalse();
  }

  @Test
  void oneWithInitContainersIsReportedOnlyIfItDoesNotRunAgain() {
    String running = RUNNING.formatted("main", "earlier");
    assertThat(isToBeTakenOver("Never", INIT, running, "")).isTrue();
    assertThat(isToBeTakenOver("OnFailure", INIT, running, "")).isFalse();
    assertThat(isToBeTakenOver("Never", INIT, "", RUNNING.formatted("init", "earlier"))).isTrue();
  }

  @Test
  void aSidecarAloneDoesNotCount() {
    assertThat(isToBeTakenOver("Never", SIDECAR, "", RUNNING.formatted("side", "earlier")))
        .isFalse();
  }

  private static boolean isToBeTakenOver(
      String policy, String init, String statuses, String initStatuses) {
    KubeObject pod =
        pod(
            """
            {'spec': {'restartPolicy': '%s', 'initContainers': [%s],
                'containers': [{'name': 'main'}]},
             'status': {'containerStatuses': [%s], 'initContainerStatuses': [%s]}}
            """
                .formatted(policy, init, statuses, initStatuses));
    return LostPods.isToBeTakenOver(pod, "earlier"::equals);
  }

  private static KubeObject pod(String text) {
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }
}
