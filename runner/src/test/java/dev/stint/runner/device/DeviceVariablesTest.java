package dev.stint.runner.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodSpec;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DeviceVariablesTest {
  @Test
  void containersShareTheDevicesOfTheirPod() {
    KubeObject pod =
        pod(
            "{'nvidia.com/gpu': ['3', '5', '6']}",
            """
            {'initContainers': [
               {'name': 'load', 'resources': {'limits': {'nvidia.com/gpu': '2'}}},
               {'name': 'side', 'restartPolicy': 'Always',
                'resources': {'limits': {'nvidia.com/gpu': '1'}}},
               {'name': 'check', 'resources': {'limits': {'nvidia.com/gpu': '1'}}}],
             'containers': [
               {'name': 'one', 'resources': {'limits': {'nvidia.com/gpu': '1'}}},
               {'name': 'two', 'resources': {'limits': {'nvidia.com/gpu': '1'}}},
               {'name': 'none'}]}
            """);
    Map<String, String> visible = new TreeMap<>();
    PodSpec.initContainers(pod).forEach(container -> add(pod, container, visible));
    PodSpec.containers(pod).forEach(container -> add(pod, container, visible));
    assertThat(visible)
        .isEqualTo(
            Map.of("load", "3,5", "side", "3", "check", "5", "one", "5", "two", "6", "none", "-"));
  }

  private static void add(KubeObject pod, ObjectNode container, Map<String, String> visible) {
    Map<String, String> variables = DeviceVariables.ofProcess(pod, container);
    visible.put(
        String.valueOf(Json.text(container, "name")),
        variables.getOrDefault("CUDA_VISIBLE_DEVICES", "-"));
    assertThat(variables.get("NVIDIA_VISIBLE_DEVICES"))
        .isEqualTo(variables.get("CUDA_VISIBLE_DEVICES"));
  }

  /** CUDA would look for the third of one device. */
  @Test
  void aContainerThatSeesItsOwnDevicesOnlyHasNoNumbersForCuda() {
    KubeObject pod =
        pod(
            "{'nvidia.com/gpu': ['2']}",
            """
            {'containers': [{'name': 'c', 'resources': {'limits': {'nvidia.com/gpu': '1'}}}]}
            """);
    assertThat(DeviceVariables.of(pod, PodSpec.containers(pod).getFirst()))
        .isEqualTo(Map.of("NVIDIA_VISIBLE_DEVICES", "2"));
  }

  @Test
  void otherResourcesHaveAVariableByTheirName() {
    KubeObject pod =
        pod(
            "{'example.com/license-x': ['0'], 'amd.com/gpu': ['1']}",
            """
            {'containers': [{'name': 'c', 'resources': {'limits':
              {'example.com/license-x': '1', 'amd.com/gpu': '1'}}}]}
            """);
    assertThat(DeviceVariables.of(pod, PodSpec.containers(pod).getFirst()))
        .isEqualTo(Map.of("STINT_DEVICES_EXAMPLE_COM_LICENSE_X", "0", "ROCR_VISIBLE_DEVICES", "1"));
  }

  @Test
  void anAnnotationThatIsNotOursGivesNothing() {
    String spec =
        "{'containers': [{'name': 'c', 'resources': {'limits': {'nvidia.com/gpu': '1'}}}]}";
    for (String text : new String[] {"", "[", "[]", "{'nvidia.com/gpu': 'x'}"}) {
      KubeObject pod = pod(text, spec);
      assertThat(DeviceVariables.of(pod, PodSpec.containers(pod).getFirst())).as(text).isEmpty();
    }
  }

  private static KubeObject pod(String annotation, String spec) {
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata")
        .put("name", "p")
        .putObject("annotations")
        .put(PodDevices.ANNOTATION, annotation.replace('\'', '"'));
    pod.set("spec", Json.parse(spec.replace('\'', '"')));
    return KubeObject.of(pod);
  }
}
