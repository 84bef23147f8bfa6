package dev.stint.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cli.output.UserException;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PodChoiceTest {
  private static KubeObject running(int index) {
    return PodBuilder.named("a-" + index).index(index).running().build();
  }

  private static KubeObject running(String name) {
    return PodBuilder.named(name).running().build();
  }

  private static KubeObject ended(String name) {
    return PodBuilder.named(name).phase("Succeeded").build();
  }

  private static KubeObject leaving(KubeObject pod) {
    ObjectNode tree = pod.copy();
    Json.objectAt(tree, "metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    return KubeObject.of(tree);
  }

  private static String chosen(
      @Nullable Integer index, @Nullable String pod, List<KubeObject> pods) {
    return new PodChoice("a", index, pod).of(pods).name();
  }

  private static String refused(
      @Nullable Integer index, @Nullable String pod, List<KubeObject> pods) {
    List<String> messages = new ArrayList<>();
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> chosen(index, pod, pods))
        .satisfies(fault -> messages.addAll(fault.lines()));
    assertThat(messages).hasSize(1);
    return messages.getFirst();
  }

  @Test
  void theOnlyRunningPodIsChosen() {
    assertThat(chosen(null, null, List.of(ended("x"), running("y")))).isEqualTo("y");
  }

  @Test
  void oneOfSeveralIsChosenByIndexOrName() {
    List<KubeObject> pods = List.of(running(0), running(1), running(2));
    assertThat(chosen(1, null, pods)).isEqualTo("a-1");
    assertThat(chosen(null, "a-2", pods)).isEqualTo("a-2");
  }

  @Test
  void severalRunningPodsAreListedInTheirOrder() {
    List<KubeObject> pods = new ArrayList<>();
    for (int index = 12; index > 0; index--) {
      pods.add(running(index));
    }
    assertThat(refused(null, null, pods))
        .isEqualTo(
            "a has 12 running pods; choose one with --index 1, --index 2, --index 3, --index 4,"
                + " --index 5, …");
    assertThat(refused(null, null, List.of(running("y"), running("x"))))
        .isEqualTo("a has 2 running pods; choose one with --pod x, --pod y");
  }

  @Test
  void aPodThatStaysIsChosenBeforeOneThatIsBeingDeleted() {
    KubeObject old = leaving(running(1));
    KubeObject other = PodBuilder.named("new").index(1).running().build();
    assertThat(chosen(1, null, List.of(old, other))).isEqualTo("new");
    assertThat(chosen(1, null, List.of(old))).isEqualTo("a-1");
    KubeObject third = PodBuilder.named("third").index(1).running().build();
    assertThat(refused(1, null, List.of(old, other, third)))
        .isEqualTo("a has 2 running pods of index 1; choose one with --pod new, --pod third");
  }

  @Test
  void whereNoneRunsOneLineSaysWhatDoes() {
    assertThat(refused(null, null, List.of()))
        .isEqualTo("no pod of a is running; stint attempts a lists those that were");
    assertThat(refused(3, null, List.of(running(0), running(1))))
        .isEqualTo("no pod of index 3 of a is running; those that are: --index 0, --index 1");
    assertThat(refused(null, "b-0", List.of(running(0))))
        .isEqualTo("a has no pod \"b-0\"; those that are: --index 0");
    assertThat(refused(null, "x", List.of(ended("x"))))
        .isEqualTo("the pod \"x\" of a is not running; stint attempts a lists those that were");
  }
}
