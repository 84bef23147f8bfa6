package dev.stint.engine.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectSource;
import dev.stint.model.pod.PodPhase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PodViewTest {
  /** A pod whose parts are decoded one by one, and never as a whole. */
  private record Parts(ObjectNode pod, List<String> decoded) implements ObjectSource {
    static Parts of(String json) {
      return new Parts(Json.parse(json.replace('\'', '"')), new ArrayList<>());
    }

    @Override
    public String apiVersion() {
      return "v1";
    }

    @Override
    public String kind() {
      return "Pod";
    }

    @Override
    public ObjectNode tree() {
      throw new AssertionError("the whole pod is decoded");
    }

    @Override
    public @Nullable ObjectNode member(String name) {
      decoded.add(name);
      return Json.objectAt(pod, name);
    }

    @Override
    public @Nullable String text(String member, String name) {
      return Json.text(Json.objectAt(pod, member), name);
    }

    @Override
    public int length() {
      return 1;
    }
  }

  @Test
  void theSpecOfAPodIsNotDecoded() {
    Parts pod =
        Parts.of(
            "{'metadata':{'name':'p','uid':'u'},'spec':{'nodeName':'n'},"
                + "'status':{'phase':'Running'}}");
    PodView view = PodView.of(KubeObject.of(pod));
    assertThat(view.scheduled()).isTrue();
    assertThat(view.phase()).isEqualTo(PodPhase.Running);
    assertThat(pod.decoded()).containsExactlyInAnyOrder("metadata", "status");
  }

  /** A Job that fails asks its rules about pods that have not stopped. */
  @Test
  void rulesSeeHowAPodEndsBeforeItHasStopped() {
    PodView ending =
        PodView.of(
            KubeObject.of(
                Parts.of(
                    "{'metadata':{'name':'p','uid':'u'},'status':{'phase':'Running',"
                        + "'conditions':[{'type':'Ready','status':'False'},"
                        + "{'type':'DisruptionTarget','status':'True'}],"
                        + "'containerStatuses':[{'name':'main','state':{'terminated':"
                        + "{'exitCode':42}}},{'name':'log','state':{'running':{}}}]}}")));
    assertThat(ending.exits()).containsExactly(new PodView.ContainerExit("main", 42));
    assertThat(ending.conditions())
        .containsExactly(new PodView.Condition("DisruptionTarget", "True"));
  }

  @Test
  void onlyTheSpecIsDecodedForThePodsMemory() {
    Parts pod =
        Parts.of(
            "{'metadata':{'name':'p','uid':'u'},'spec':{'containers':[{'name':'c',"
                + "'resources':{'limits':{'memory':'1Ki'}}}]},'status':{'phase':'Failed',"
                + "'containerStatuses':[{'name':'c','state':{'terminated':"
                + "{'reason':'OOMKilled','exitCode':137}}}]}}");
    assertThat(PodView.of(KubeObject.of(pod)).memory())
        .containsExactly(new ContainerMemory("c", 0, 1024, true));
  }
}
