package dev.stint.engine.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectSource;
import dev.stint.model.pod.PodPhase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  void aFinalizerThatAUserNamedTwiceIsOurs() {
    PodView pod =
        PodView.of(
            KubeObject.of(
                Json.parse(
                    "{'metadata':{'name':'p','uid':'u','finalizers':['a/b','%1$s','%1$s']}}"
                        .formatted(Names.TRACKING_FINALIZER)
                        .replace('\'', '"'))));
    assertThat(pod.tracked()).isTrue();
    assertThat(pod.otherFinalizers()).containsExactly("a/b");
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

  /** Returns a pod with these members of its metadata, and of itself. */
  private static PodView pod(String metadata, String more) {
    return PodView.of(
        KubeObject.of(Parts.of("{'metadata':{'uid':'u'" + metadata + "}" + more + "}")));
  }

  private static int index(String annotations) {
    return pod(",'annotations':{" + annotations + "}", "").index();
  }

  @Test
  void aPodHasNoIndexUnlessItsAnnotationIsOne() {
    assertThat(index("")).isEqualTo(PodView.NO_INDEX);
    assertThat(index("'batch.kubernetes.io/job-completion-index':'x'")).isEqualTo(PodView.NO_INDEX);
    assertThat(index("'batch.kubernetes.io/job-completion-index':'-7'"))
        .isEqualTo(PodView.NO_INDEX);
    assertThat(index("'batch.kubernetes.io/job-completion-index':'7'")).isEqualTo(7);
  }

  @Test
  void onlyTheConditionReadySaysThatAPodIsReady() {
    String conditions =
        ",'status':{'conditions':[{'type':'Initialized','status':'True'},"
            + "{'type':'Ready','status':'%s'}]}";
    assertThat(pod("", conditions.formatted("True")).ready()).isTrue();
    assertThat(pod("", conditions.formatted("False")).ready()).isFalse();
    assertThat(pod("", "").ready()).isFalse();
    assertThat(pod("", "").scheduled()).isFalse();
  }

  @Test
  void aPodHasFinishedOnceItIsDeletedOrHasSucceeded() {
    String created = ",'creationTimestamp':'2026-01-01T00:00:00Z'";
    String deleted = created + ",'deletionTimestamp':'2026-01-01T00:00:40Z'";
    String running = ",'status':{'phase':'Running'}";
    String succeeded =
        ",'status':{'phase':'Succeeded','containerStatuses':[{'state':{'terminated':"
            + "{'finishedAt':'2026-01-01T00:00:20Z'}}}]}";
    assertThat(pod(created, running).finishTime()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(pod(deleted, running).finishTime()).isEqualTo("2026-01-01T00:00:40Z");
    assertThat(pod(created, succeeded).finishTime()).isEqualTo("2026-01-01T00:00:20Z");
  }

  @Test
  void aPodIsNotEvictedIfNobodyKnowsWhenItEnded() {
    String metadata = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
    assertThat(pod(metadata, ",'status':{'phase':'Succeeded'}").evicted()).isFalse();
  }

  /**
   * Containers: one ran out of memory, one has more than its template, one neither, one no limit.
   */
  @ParameterizedTest
  @CsvSource({"Failed, true", "Running, false"})
  void aPodHandsOnMemoryThatWasExhaustedOrRaised(String phase, boolean exhausted) {
    String container = "{'name':'%s','resources':{'limits':{'memory':'1Ki'}}},";
    String ended = "{'name':'%s','state':{'terminated':{'reason':'%s','exitCode':137}}},";
    PodView pod =
        pod(
            ",'annotations':{'stint.dev/raised-memory':'raised=1Ki'}",
            ",'spec':{'containers':["
                + container.formatted("main")
                + container.formatted("raised")
                + container.formatted("log")
                + "{'name':'unlimited'}]},'status':{'phase':'"
                + phase
                + "','containerStatuses':["
                + ended.formatted("main", "OOMKilled")
                + ended.formatted("log", "Error")
                + ended.formatted("unlimited", "OOMKilled")
                + "{}]}");
    List<ContainerMemory> handedOn = new ArrayList<>();
    if (exhausted) {
      handedOn.add(new ContainerMemory("main", 0, 1024, true));
    }
    handedOn.add(new ContainerMemory("raised", 0, 1024, false));
    assertThat(pod.memory()).isEqualTo(handedOn);
  }
}
