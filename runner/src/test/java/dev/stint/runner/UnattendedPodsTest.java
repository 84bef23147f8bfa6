package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.device.Devices;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.spec.ResourceAmount;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Pods that an earlier life left running, and that nobody has claimed from this one yet. */
class UnattendedPodsTest {
  private final SimulatedNode node = new SimulatedNode();
  private final Set<String> claimed = new HashSet<>(Set.of("a", "b"));

  private Runner live(int maxPods, Devices devices) {
    return node.live(_ ->
        new RunnerOptions("here", maxPods, pod -> claimed.contains(pod.name()))
            .withMachine(new ResourceAmount(1000, 0))
            .withDevices(devices));
  }

  private void add(String name, int gpus) {
    node.tell(name, outcome(20, 0));
    node.add(
        name,
        """
        {'restartPolicy': 'Never', 'containers': [{'name': '%s',
          'resources': {'limits': {'example.com/gpu': '%d'}}}]}
        """
            .formatted(name, gpus));
  }

  /** Leaves a pod running, and starts a life that does not have it yet. */
  private Runner takeOver(int maxPods, Devices devices) {
    Runner first = live(maxPods, devices);
    add("a", devices.isEmpty() ? 0 : 1);
    node.advance(2);
    first.close();
    node.run();
    claimed.remove("a");
    Runner next = live(maxPods, devices);
    add("b", devices.isEmpty() ? 0 : 1);
    node.advance(2);
    return next;
  }

  @Test
  void theyCountUntilTheyEnd() {
    takeOver(1, Devices.NONE);
    assertThat(node.played).containsExactly("a");
    node.advance(30);
    assertThat(node.played).containsExactly("a", "b");
  }

  @Test
  void onceClaimedTheyAreAttendedTo() {
    Runner next = takeOver(1, Devices.NONE);
    claimed.add("a");
    next.reconsider();
    node.advance(2);
    assertThat(node.played).containsExactly("a");
    node.advance(18);
    assertThat(node.status("a").path("phase").asString("")).isEqualTo("Succeeded");
    assertThat(node.played).containsExactly("a", "b");
  }

  @Test
  void theyKeepTheirDevices() {
    takeOver(9, Devices.NONE.with("example.com/gpu", List.of("0", "1")));
    assertThat(PodDevices.of(node.cluster.pod("b")).of("example.com/gpu")).containsExactly("1");
  }

  @Test
  void anInterruptedOneWaitsForRoomAndDevicesOnceItIsClaimed() {
    Devices one = Devices.NONE.with("example.com/gpu", List.of("0"));
    Runner first = live(9, one);
    add("a", 1);
    node.advance(2);
    first.interrupt();
    node.advance(2);
    first.close();
    claimed.remove("a");
    Runner next = live(9, one);
    add("b", 1);
    node.advance(2);
    assertThat(node.played).containsExactly("a", "b");
    claimed.add("a");
    next.reconsider();
    node.advance(2);
    assertThat(node.played).containsExactly("a", "b");
    node.advance(20);
    assertThat(node.played).containsExactly("a", "b", "a");
    assertThat(PodDevices.of(node.cluster.pod("a")).of("example.com/gpu")).containsExactly("0");
  }

  @Test
  void anInterruptionDoesNotWaitForThem() {
    Runner next = takeOver(9, Devices.NONE);
    CompletableFuture<?> interrupted = next.interrupt();
    node.advance(2);
    assertThat(interrupted).isDone();
  }

  @Test
  void oneThatIsDeletedEndsAndFreesItsRoom() {
    takeOver(1, Devices.NONE);
    node.cluster.requestDeletion("a", 5);
    node.advance(7);
    assertThat(node.cluster.find("a")).isNull();
    assertThat(node.played).containsExactly("a", "b");
  }

  @Test
  void oneWhoseObjectIsGoneIsForgotten() throws Exception {
    takeOver(1, Devices.NONE);
    node.cluster.remove("a");
    node.advance(7);
    assertThat(node.runtime.leftovers().get()).hasSize(1);
    assertThat(node.played).containsExactly("a", "b");
  }
}
