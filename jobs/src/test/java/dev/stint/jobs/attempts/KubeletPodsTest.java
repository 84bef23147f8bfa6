package dev.stint.jobs.attempts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods of a cluster of one node, with kubelet 1.36 and containerd. */
class KubeletPodsTest {
  private static final Map<String, List<ContainerAttemptView>> RECORDED = new LinkedHashMap<>();

  @BeforeAll
  static void read() throws Exception {
    String text = Files.readString(Path.of("../conformance/kubelet-pods.json"));
    for (JsonNode each : Json.arrayAt(Json.parse(text), "recorded")) {
      KubeObject pod = KubeObject.of((ObjectNode) each.get("pod"));
      RECORDED.put(each.get("case").asString(), PodAttempts.of(pod));
    }
  }

  private static String attempts(String name) {
    return RECORDED.get(name).stream()
        .map(each -> (each.stateName() + " " + each.exitCode() + " " + each.explanation()).strip())
        .collect(Collectors.joining("; "));
  }

  @Test
  void aContainerThatNeverRanHasTheReasonOfItsPod() {
    assertThat(attempts("an image that cannot be pulled, ended by stint.dev/startup-deadline"))
        .startsWith(
            "failed null StartupDeadlineExceeded: The pod did not start within 12s: ErrImagePull: ");
  }

  @Test
  void aPodThatFailedAsAWholeSaysWhy() {
    assertThat(attempts("activeDeadlineSeconds of the pod"))
        .isEqualTo(
            "failed 137 DeadlineExceeded: Pod was active on the node longer than the specified deadline");
    assertThat(attempts("more ephemeral storage than its limit"))
        .startsWith("failed 137 Evicted: Pod ephemeral local storage usage exceeds");
    assertThat(attempts("restarts, ended by stint.dev/restarts-per-index"))
        .isEqualTo(
            "failed 1; failed 1 RestartLimitExceeded: The containers restarted 2 times;"
                + " backoffLimitPerIndex is 1");
  }

  @Test
  void aCommandThatDoesNotExistHasNoStart() {
    assertThat(attempts("a command that does not exist")).startsWith("failed 128 StartError: ");
    assertThat(RECORDED.get("a command that does not exist"))
        .extracting(ContainerAttemptView::startedAt)
        .containsOnlyNulls();
  }

  @Test
  void whatTheContainerSaysCountsMore() {
    assertThat(attempts("more memory than its limit")).isEqualTo("failed 137 OOMKilled");
  }

  @Test
  void aPodThatWaitsOrIsLostIsShownAsItIs() {
    assertThat(attempts("a node that is cordoned")).startsWith("waiting null Unschedulable: 0/1 ");
    assertThat(attempts("a node whose kubelet has stopped")).isEqualTo("running null");
  }

  private static List<String> explanations(String reason, String containers) {
    KubeObject pod =
        PodBuilder.named("a")
            .phase("Failed")
            .status(
                "'reason':'%s','message':'by the node','containerStatuses':[%s]"
                    .formatted(reason, containers))
            .build();
    return PodAttempts.of(pod).stream()
        .map(each -> each.exitCode() + " " + each.explanation())
        .toList();
  }

  @Test
  void aPodThatFailedAsAWholeDidNotSucceed() {
    String end =
        "{'name':'%s','restartCount':0,'state':{'terminated':{'exitCode':0,'reason':'Completed',"
            + "'finishedAt':'2026-01-01T0%d:00:00Z'}}}";
    String containers =
        "'initContainerStatuses':[%s],'containerStatuses':[%s,%s]"
            .formatted(
                end.formatted("before", 2), end.formatted("first", 1), end.formatted("last", 2));
    PodBuilder pod = PodBuilder.named("a").phase("Failed").status(containers);
    assertThat(PodAttempts.of(pod.build()))
        .extracting(ContainerAttemptView::stateName)
        .containsExactly("succeeded", "succeeded", "succeeded");
    KubeObject evicted = pod.status("'reason':'Evicted','message':'by the node'").build();
    assertThat(PodAttempts.of(evicted))
        .extracting(each -> each.container() + " " + each.stateName() + " " + each.explanation())
        .containsExactly(
            "before succeeded ", "first succeeded ", "last failed Evicted: by the node");
    assertThat(PodAttempts.of(evicted).getLast().exitCode()).isZero();
  }

  @Test
  void aContainerThatFailedBeforeItsPodKeepsItsReason() {
    String first =
        "{'name':'first','restartCount':0,'state':{'terminated':{'exitCode':1,'reason':'Error',"
            + "'finishedAt':'2026-01-01T00:00:01Z'}}}";
    String last =
        "{'name':'last','restartCount':0,'state':{'terminated':{'exitCode':137,'reason':'Error',"
            + "'finishedAt':'2026-01-01T01:00:00Z'}}}";
    assertThat(explanations("Evicted", first + "," + last))
        .containsExactly("1 ", "137 Evicted: by the node");
  }

  @Test
  void aContainerThatWasLostHasNoExitCode() {
    String lost = "{'exitCode':137,'reason':'ContainerStatusUnknown','message':'not found'}";
    assertThat(
            explanations(
                "",
                "{'name':'main','restartCount':1,'lastState':{'terminated':%s},".formatted(lost)
                    + "'state':{'terminated':{'exitCode':1,'reason':'Error'}}}"))
        .containsExactly("null ContainerStatusUnknown: not found", "1 ");
  }
}
