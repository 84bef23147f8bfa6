package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.FakeCluster;
import dev.stint.model.Json;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DeviceUseTest {
  private final FakeCluster cluster =
      new FakeCluster(Runnable::run, InstantSource.fixed(Instant.EPOCH));

  @Test
  void devicesOfUnfinishedPodsAreInUse() {
    add(
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"},
         "status": {"allocatable": {"cpu": "2", "example.com/b": "1", "example.com/a": "4"}}}
        """);
    pod("one", "Running");
    pod("two", "Pending");
    pod("three", "Succeeded");
    assertThat(DeviceUse.of(cluster).lines())
        .containsExactly("example.com/a: 4 of 4 in use", "example.com/b: 0 of 1 in use");
  }

  @Test
  void aMachineWithoutDevicesHasNoLine() {
    pod("one", "Running");
    assertThat(DeviceUse.of(cluster).lines()).isEmpty();
  }

  private void pod(String name, String phase) {
    add(
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "%s", "namespace": "default", "annotations":
           {"stint.dev/devices": "{\\"example.com/a\\":[\\"0\\",\\"1\\"]}"}},
         "spec": {}, "status": {"phase": "%s"}}
        """
            .formatted(name, phase));
  }

  private void add(String text) {
    ObjectNode tree = Json.parse(text);
    cluster.add(tree);
  }
}
