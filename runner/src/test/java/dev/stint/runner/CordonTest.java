package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CordonTest {
  private static final String POD = "{'containers': [{'name': 'main'}]}";
  private static final String CORDONED = "{'unschedulable': true}";
  private static final String WHY =
      "False Unschedulable 0/1 nodes are available: 1 node(s) were unschedulable.";

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void aCordonedNodeTakesNoNewPodsAndKeepsRunningOnes() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("before", POD);
    node.advance(1);
    node.cluster.setNode(CORDONED);
    node.run();
    node.tell("main", outcome(5, 0));
    node.add("after", POD);
    node.advance(10);
    assertThat(node.cluster.phase("before")).isEqualTo("Running");
    assertThat(node.condition("after", "PodScheduled")).isEqualTo(WHY);
    assertThat(node.played).hasSize(1);
    assertThat(node.cluster.events()).hasSize(1).first().asString().contains("FailedScheduling");
    node.cluster.setNode("{}");
    node.advance(10);
    assertThat(node.cluster.phase("after")).isEqualTo("Succeeded");
    assertThat(node.condition("after", "PodScheduled")).isEqualTo("True");
  }

  @Test
  void aCordonedNodeTakesNoPodsAfterARestart() {
    node.cluster.setNode(CORDONED);
    node.add("a", POD);
    node.live();
    node.advance(5);
    assertThat(node.condition("a", "PodScheduled")).isEqualTo(WHY);
    assertThat(node.played).isEmpty();
  }

  @Test
  void aPodThatIsKeptOutGoesWhenItIsDeleted() {
    node.cluster.setNode(CORDONED);
    node.live();
    node.add("a", POD);
    node.cluster.requestDeletion("a", 30);
    node.advance(1);
    assertThat(node.cluster.find("a")).isNull();
  }

  @Test
  void aPodThatToleratesTheTaintOvertakesOneThatDoesNot() {
    node.cluster.setNode(
        "{'taints': [{'key': 'gpu', 'value': 'yes', 'effect': 'NoSchedule'},"
            + " {'key': 'slow', 'effect': 'PreferNoSchedule'}]}");
    node.live();
    node.tell("main", outcome(1, 0));
    node.add("a", POD);
    String tolerating = "{'tolerations': [%s], 'containers': [{'name': 'main'}]}";
    node.add("b", tolerating.formatted("{'key': 'gpu', 'operator': 'Equal', 'value': 'yes'}"));
    node.add("c", tolerating.formatted("{'operator': 'Exists', 'effect': 'NoSchedule'}"));
    node.add("d", tolerating.formatted("{'key': 'gpu', 'value': 'no'}"));
    node.add("e", tolerating.formatted("{'key': 'gpu', 'value': 'yes', 'effect': 'NoExecute'}"));
    node.advance(10);
    assertThat(node.cluster.phase("b")).isEqualTo("Succeeded");
    assertThat(node.cluster.phase("c")).isEqualTo("Succeeded");
    for (String kept : new String[] {"a", "d", "e"}) {
      assertThat(node.condition(kept, "PodScheduled"))
          .endsWith("1 node(s) had untolerated taint {gpu: yes}.");
    }
  }

  @Test
  void aPodThatIsKeptOutStartsOnceItToleratesTheTaint() {
    node.cluster.setNode("{'taints': [{'key': 'gpu', 'effect': 'NoSchedule'}]}");
    node.live();
    node.tell("main", outcome(1, 0));
    node.add("a", POD);
    node.advance(1);
    assertThat(node.played).isEmpty();
    node.cluster.change(
        TestWorld.pod("a"), "{'spec': {'tolerations': [{'key': 'gpu', 'operator': 'Exists'}]}}");
    node.advance(10);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
  }

  /** There may be 50,000 of them, and a parsed pod takes several times the memory of its text. */
  @Test
  void theManyPodsThatWaitAreNotParsedForATaint() {
    node.tell("main", FOR_EVER);
    for (int i = 0; i < 6; i++) {
      node.add("pod-" + i, POD);
    }
    RunnerOptions one = new RunnerOptions("here", 1, _ -> true);
    List<String> parsed = new ArrayList<>();
    new Runner(parsedOnUse(parsed), node.runtime, node.loop.eventLoop(), one).start();
    node.advance(90);
    assertThat(node.played).hasSize(1);
    assertThat(parsed).contains("pod-5");
    parsed.clear();
    node.cluster.setNode(CORDONED);
    node.advance(1);
    assertThat(node.condition("pod-1", "PodScheduled")).isEqualTo(WHY);
    assertThat(parsed).as("none but the one that is told why").containsOnly("pod-1");
  }

  /** Returns a cluster whose listed pods tell when their specs are parsed. */
  private Cluster parsedOnUse(List<String> parsed) {
    return new ForwardingCluster(node.cluster) {
      @Override
      public CompletableFuture<String> list(
          Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
        return super.list(
            kind,
            namespace,
            part ->
                each.apply(
                    new ObjectList(
                        part.items().stream().map(this::parsedOnUse).toList(),
                        part.resourceVersion())));
      }

      private KubeObject parsedOnUse(KubeObject pod) {
        return KubeObject.of(new ParsedPod(pod.tree(), parsed));
      }
    };
  }

  /** A pod that is parsed in parts. */
  private record ParsedPod(ObjectNode pod, List<String> parsed) implements ObjectSource {
    @Override
    public String apiVersion() {
      return pod.path("apiVersion").asString();
    }

    @Override
    public String kind() {
      return pod.path("kind").asString();
    }

    @Override
    public ObjectNode tree() {
      parsed.add(pod.at("/metadata/name").asString());
      return pod.deepCopy();
    }

    @Override
    public @Nullable ObjectNode member(String name) {
      ObjectNode found = Json.objectAt(pod, name);
      if (name.equals("spec")) {
        parsed.add(pod.at("/metadata/name").asString());
      }
      return found == null ? null : found.deepCopy();
    }

    @Override
    public @Nullable String text(String member, String name) {
      return Json.text(Json.objectAt(pod, member), name);
    }

    @Override
    public int length() {
      return Json.bytes(pod).length;
    }
  }
}
