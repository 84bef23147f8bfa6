package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PodPriorityTest {
  private static final Map<String, ObjectNode> NONE = Map.of();
  private static final Map<String, ObjectNode> SOME =
      Map.of(
          "high", tree("{'metadata':{'name':'high'},'value':1000,'preemptionPolicy':'Never'}"),
          "usual", tree("{'metadata':{'name':'usual'},'value':10,'globalDefault':true}"));

  private static ObjectNode tree(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  private static ObjectNode spec(Map<String, ObjectNode> classes, String spec) {
    ObjectNode pod = tree("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}}");
    pod.set("spec", tree(spec));
    KubeObject admitted =
        PodPriority.admit(KubeObject.of(pod), classes::get, () -> classes.values().stream());
    assertThat(pod.get("spec")).isEqualTo(tree(spec));
    return (ObjectNode) admitted.tree().get("spec");
  }

  @Test
  void aPodHasThePriorityOfItsClass() {
    assertThat(spec(SOME, "{'priorityClassName':'high'}"))
        .isEqualTo(tree("{'priorityClassName':'high','priority':1000,'preemptionPolicy':'Never'}"));
  }

  @Test
  void aPodWithoutAClassHasThatOfTheDefaultOrNone() {
    assertThat(spec(SOME, "{}"))
        .isEqualTo(
            tree(
                "{'priority':10,'priorityClassName':'usual','preemptionPolicy':'PreemptLowerPriority'}"));
    assertThat(spec(NONE, "{}"))
        .isEqualTo(tree("{'priority':0,'preemptionPolicy':'PreemptLowerPriority'}"));
  }

  @Test
  void classesOfTheSystemAreAlwaysThere() {
    assertThat(spec(NONE, "{'priorityClassName':'system-node-critical'}").get("priority"))
        .isEqualTo(tree("{'v':2000001000}").get("v"));
  }

  @Test
  void anUnknownClassAndAnotherPriorityAreRefused() {
    assertThatThrownBy(() -> spec(SOME, "{'priorityClassName':'none'}"))
        .isInstanceOf(ClusterException.class)
        .hasMessage("pods \"p\" is forbidden: no PriorityClass with name none was found");
    assertThatThrownBy(() -> spec(NONE, "{'priority':5}"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("priority (5) must not be provided in pod spec");
    assertThatThrownBy(() -> spec(NONE, "{'preemptionPolicy':'Never'}"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("PreemptionPolicy (Never) must not be provided in pod spec");
  }
}
