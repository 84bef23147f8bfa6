package dev.stint.model.limit;

import static dev.stint.model.limit.LimitTexts.json;
import static dev.stint.model.limit.LimitTexts.range;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Containers get the requests and limits of their namespace where they have none. */
class ContainerLimitDefaultsTest {
  private static final ObjectNode RANGE =
      range(
          "{'type':'Container','default':{'cpu':'2','memory':'2Gi'},"
              + "'defaultRequest':{'cpu':'1','memory':'1Gi'}}");

  @Test
  void aContainerWithoutAmountsGetsAll() {
    KubeObject pod = apply("{'containers':[{'name':'a'}]}", RANGE);
    assertThat(pod.spec())
        .isEqualTo(
            json(
                "{'containers':[{'name':'a','resources':{'requests':{'cpu':'1','memory':'1Gi'},"
                    + "'limits':{'cpu':'2','memory':'2Gi'}}}]}"));
    assertThat(pod.annotation("kubernetes.io/limit-ranger"))
        .isEqualTo(
            "LimitRanger plugin set: cpu, memory request for container a; cpu, memory limit for"
                + " container a");
  }

  @Test
  void aLimitIsTheRequestOfItsResource() {
    KubeObject pod =
        apply("{'containers':[{'name':'a','resources':{'limits':{'cpu':'3'}}}]}", RANGE);
    assertThat(pod.spec())
        .isEqualTo(
            json(
                "{'containers':[{'name':'a','resources':{'limits':{'cpu':'3','memory':'2Gi'},"
                    + "'requests':{'memory':'1Gi'}}}]}"));
  }

  @Test
  void initContainersComeAfterTheOthers() {
    KubeObject pod =
        apply(
            "{'initContainers':[{'name':'i'}],'containers':[{'name':'a','resources':"
                + "{'requests':{'cpu':'1'},'limits':{'cpu':'1'}}}]}",
            range("{'type':'Container','default':{'cpu':'2'},'defaultRequest':{'cpu':'1'}}"));
    assertThat(pod.annotation("kubernetes.io/limit-ranger"))
        .isEqualTo(
            "LimitRanger plugin set: cpu request for init container i; cpu limit for init"
                + " container i");
  }

  @Test
  void aPodThatLacksNothingIsLeftAlone() {
    KubeObject pod = pod("{'containers':[{'name':'a','resources':{'limits':{'cpu':'1'}}}]}");
    ObjectNode range = range("{'type':'Container','default':{'cpu':'2'}}");
    assertThat(ContainerLimitDefaults.apply(pod, List.of(range))).isSameAs(pod);
    assertThat(ContainerLimitDefaults.apply(pod, List.of(range("{'type':'Pod'}")))).isSameAs(pod);
  }

  @Test
  void theGivenPodIsNotChanged() {
    KubeObject pod = pod("{'containers':[{'name':'a','resources':{'limits':{'cpu':'3'}}}]}");
    ObjectNode before = pod.copy();
    ContainerLimitDefaults.apply(pod, List.of(RANGE));
    assertThat(pod.tree()).isEqualTo(before);
  }

  private static KubeObject apply(String spec, ObjectNode range) {
    return ContainerLimitDefaults.apply(pod(spec), List.of(range));
  }

  private static KubeObject pod(String spec) {
    return KubeObject.of(json("{'metadata':{'name':'p'},'spec':" + spec + "}"));
  }
}
