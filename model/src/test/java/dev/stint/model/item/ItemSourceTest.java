package dev.stint.model.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ItemSourceTest {
  private static final String MOUNT = "{'name': 'v', 'mountPath': '/stint/items'}";

  private static ObjectNode spec(String mounts, String more) {
    return Json.parse(
        """
        {'volumes': [{'name': 'v', 'projected': {'sources': [
           {'configMap': {'name': 'x-items-0'}}, {'configMap': {'name': 'x-items-1'}}]}}],
         'containers': [{'name': 'main', 'volumeMounts': [%s],
           'command': ['/bin/sh', '/stint/items/each', 'echo', '{}']}%s]}
        """
            .formatted(mounts, more)
            .replace('\'', '"'));
  }

  @Test
  void theListIsFoundByItsVolume() {
    assertThat(ItemSource.ofSpec(spec(MOUNT, ""))).contains(new ItemSource("v", "x-items"));
    assertThat(new ItemSource("v", "x-items").map(3)).isEqualTo("x-items-3");
    assertThat(ItemSource.ofSpec(null)).isEmpty();
  }

  @Test
  void aVolumeThatIsUsedOtherwiseStaysAVolume() {
    String reader = ", {'name': 'r', 'volumeMounts': [{'name': 'v', 'mountPath': '/list'}]}";
    assertThat(ItemSource.ofSpec(spec(MOUNT, reader))).isEmpty();
    assertThat(
            ItemSource.ofSpec(
                spec("{'name': 'v', 'mountPath': '/stint/items', 'subPath': 'a'}", "")))
        .isEmpty();
  }

  @Test
  void onlyPodsWithAnIndexHaveAnItem() {
    ObjectNode pod = Json.object();
    pod.set("spec", spec(MOUNT, ""));
    assertThat(ItemSource.of(KubeObject.of(pod.deepCopy()))).isEmpty();
    pod.putObject("metadata")
        .putObject("annotations")
        .put("batch.kubernetes.io/job-completion-index", "3");
    assertThat(ItemSource.of(KubeObject.of(pod))).isPresent();
  }

  @Test
  void theContainerNeedsNoMountOfItsList() {
    JsonNode alone = spec(MOUNT, "").at("/containers/0");
    assertThat(ItemSource.withoutMount((ObjectNode) alone).has("volumeMounts")).isFalse();
    JsonNode both = spec(MOUNT + ", {'name': 'w', 'mountPath': '/w'}", "").at("/containers/0");
    assertThat(ItemSource.withoutMount((ObjectNode) both).get("volumeMounts")).hasSize(1);
    assertThat(both.get("volumeMounts")).hasSize(2);
  }

  @Test
  void theCommandIsBehindTheScript() {
    List<String> words = List.of("/bin/sh", "/stint/items/each", "echo", "{}");
    assertThat(ItemSource.command(words, new Item(0, "a b", null))).containsExactly("echo", "a b");
  }
}
