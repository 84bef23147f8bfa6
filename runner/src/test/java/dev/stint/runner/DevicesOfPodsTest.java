package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.device.Devices;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.spec.ResourceAmount;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Pods that request devices share those of the machine. */
class DevicesOfPodsTest {
  private static final Devices TWO = Devices.NONE.with("example.com/gpu", List.of("0", "1"));

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void aPodWaitsForADeviceAndHasItAlone() {
    live();
    add("a", 1);
    add("b", 1);
    add("c", 1);
    node.advance(5);
    assertThat(node.played).containsExactly("a", "b");
    assertThat(devices("a")).containsExactly("0");
    assertThat(devices("b")).containsExactly("1");
    assertThat(devices("c")).isEmpty();
    node.advance(10);
    assertThat(node.played).containsExactly("a", "b", "c");
    assertThat(devices("c")).containsExactly("0");
  }

  @Test
  void theNextLifeKnowsWhichDevicesAreTaken() {
    Runner first = live();
    add("a", 1);
    node.advance(2);
    first.close();
    node.run();
    live();
    add("b", 1);
    node.advance(2);
    assertThat(devices("a")).containsExactly("0");
    assertThat(devices("b")).containsExactly("1");
  }

  @Test
  void anInterruptedPodGetsDevicesAnew() {
    Runner first = live();
    add("a", 1);
    add("b", 1);
    node.advance(2);
    first.interrupt();
    node.advance(2);
    first.close();
    node.cluster.remove("a");
    live();
    node.advance(2);
    assertThat(node.played).containsExactly("a", "b", "b");
    assertThat(devices("b")).containsExactly("0");
  }

  @Test
  void anAnnotationTakesNoMoreThanItsPodRequests() {
    Runner first = live();
    add("greedy", 0);
    add("a", 1);
    node.advance(2);
    annotate("greedy", "{'example.com/gpu':['0','1']}");
    annotate("a", "{'example.com/gpu':['0','1','1']}");
    first.close();
    node.run();
    live();
    add("b", 1);
    node.advance(2);
    assertThat(node.played).containsExactly("greedy", "a", "b");
    assertThat(devices("b")).containsExactly("1");
  }

  private void annotate(String pod, String devices) {
    ObjectNode changed = node.cluster.pod(pod).copy();
    changed
        .withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put(PodDevices.ANNOTATION, devices.replace('\'', '"'));
    node.cluster.put(changed);
    node.run();
  }

  @Test
  void aPodThatRequestsMoreThanThereAreStaysPending() {
    live();
    add("a", 3);
    node.advance(2);
    assertThat(node.condition("a", "PodScheduled"))
        .isEqualTo(
            "False Unschedulable 0/1 nodes are available: insufficient example.com/gpu: the pod"
                + " requests 3, this machine has 2.");
  }

  private Runner live() {
    return node.live(options -> options.withMachine(new ResourceAmount(1000, 0)).withDevices(TWO));
  }

  private List<String> devices(String pod) {
    return PodDevices.of(node.cluster.pod(pod)).of("example.com/gpu");
  }

  private void add(String name, int count) {
    node.tell(name, outcome(10, 0));
    node.add(
        name,
        """
        {'restartPolicy': 'Never', 'containers': [{'name': '%s',
          'resources': {'limits': {'example.com/gpu': '%d'}}}]}
        """
            .formatted(name, count));
  }
}
