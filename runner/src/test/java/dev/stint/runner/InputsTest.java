package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.status.PodConditions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class InputsTest {
  private static final String NEEDS_BOTH =
      """
      {'restartPolicy': 'Never', 'containers': [
        {'name': 'main', 'env': [{'name': 'A', 'valueFrom':
          {'configMapKeyRef': {'name': 'c', 'key': 'k'}}}]},
        {'name': 'other', 'envFrom': [{'secretRef': {'name': 's'}}]}]}
      """;

  private final SimulatedNode node = new SimulatedNode();

  private @Nullable ArrayNode conditions(String pod) {
    return Json.arrayAt(node.status(pod), "conditions");
  }

  @Test
  void aPodStartsSoonAfterItsInputsExist() {
    node.live();
    node.tell("main", outcome(1, 0));
    node.tell("other", outcome(1, 0));
    node.cluster.addInput(Kind.CONFIG_MAP, "c", "k", "v");
    node.add("a", NEEDS_BOTH);
    node.advance(30);
    assertThat(node.cluster.phase("a")).isEqualTo("Pending");
    assertThat(node.waitingReason("a", "other")).isEqualTo("CreateContainerConfigError");
    assertThat(PodConditions.isTrue(conditions("a"), "PodReadyToStartContainers")).isTrue();
    assertThat(node.container("a", "other").at("/state/waiting/message").stringValue())
        .isEqualTo("secret \"s\" not found");
    assertThat(node.container("a", "main").at("/state/waiting/message").stringValue())
        .isEqualTo("secret \"s\" not found");
    assertThat(node.played).isEmpty();
    node.cluster.addInput(Kind.SECRET, "s", "k", "dg==");
    node.advance(13);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.played).containsExactly("main", "other");
  }

  /** Only a runtime knows of images: here its listener is told what one tells. */
  @Test
  void aPullThatIsUnderWayAtTheTimeoutMayEnd() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", "{'restartPolicy': 'Never', 'containers': [{'name': 'main'}]}");
    AttemptListener listener = node.listeners.getLast();
    listener.onWaiting("ErrImagePull", "the registry is away");
    listener.onProgress("Pulling", "a large image");
    node.pass(Duration.ofMinutes(6));
    listener.onProgress("Pulled", "a large image");
    listener.onWaiting("CreateContainerConfigError", "something else is missing");
    node.pass(Duration.ofMinutes(1));
    assertThat(node.cluster.phase("a")).isNotEqualTo("Failed");
    node.pass(Duration.ofMinutes(5));
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
  }

  @Test
  void pullsBetweenWaitsForSomethingElseDelayNoTimeout() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", "{'restartPolicy': 'Never', 'containers': [{'name': 'main'}]}");
    AttemptListener listener = node.listeners.getLast();
    for (int minute = 0; minute < 6; minute++) {
      listener.onProgress("Pulling", "a small image");
      listener.onProgress("Pulled", "a small image");
      listener.onWaiting("ContainerCreating", "a hostPath is missing");
      node.pass(Duration.ofMinutes(1));
    }
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
  }

  @Test
  void aPullThatFailsAfterTheTimeoutIsTheLast() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", "{'restartPolicy': 'Never', 'containers': [{'name': 'main'}]}");
    AttemptListener listener = node.listeners.getLast();
    listener.onWaiting("ErrImagePull", "the registry is away");
    listener.onProgress("Pulling", "a large image");
    node.pass(Duration.ofMinutes(6));
    assertThat(node.cluster.phase("a")).isNotEqualTo("Failed");
    listener.onWaiting("ImagePullBackOff", "the registry is away");
    node.advance(1);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(node.status("a"), "reason")).isEqualTo("ImagePullBackOff");
  }

  private static JsonNode array(String json) {
    return Json.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aPodWaitsForItsLineOfAList() {
    node.live();
    node.tell("main", outcome(1, 0));
    ObjectNode pod = PodCluster.newPod("a", "/bin/sh", "/stint/items/each", "echo");
    ((ObjectNode) pod.at("/metadata"))
        .putObject("annotations")
        .put("batch.kubernetes.io/job-completion-index", "3");
    ((ObjectNode) pod.at("/spec/containers/0"))
        .set("volumeMounts", array("[{'name': 'v', 'mountPath': '/stint/items'}]"));
    ((ObjectNode) pod.at("/spec"))
        .set(
            "volumes",
            array(
                "[{'name': 'v', 'projected': {'sources': [{'configMap': {'name': 'list-0'}}]}}]"));
    node.cluster.put(pod);
    node.advance(5);
    assertThat(node.container("a", "main").at("/state/waiting/reason").stringValue())
        .isEqualTo("ContainerCreating");
    assertThat(node.cluster.events())
        .anyMatch(event -> event.contains("configmap \"list-0\" has no line for index 3"));
    node.cluster.addInput(Kind.CONFIG_MAP, "list-0", "starts", "0");
    ObjectRef list = new ObjectRef(Kind.CONFIG_MAP, "default", "list-0");
    ObjectNode map = Objects.requireNonNull(node.cluster.peek(list)).copy();
    map.withObjectProperty("data").put("lines-0", "a\nb\nc\nd\n");
    node.cluster.put(map);
    node.advance(60);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
  }

  @Test
  void anAttemptFailsIfItsInputsAreNotCreatedInTime() {
    node.live();
    node.cluster.addInput(Kind.CONFIG_MAP, "c", "other", "v");
    node.cluster.addInput(Kind.SECRET, "s", "k", "dg==");
    node.add("a", NEEDS_BOTH);
    node.advance(299);
    assertThat(node.cluster.phase("a")).isEqualTo("Pending");
    node.advance(2);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(node.status("a"), "reason")).isEqualTo("CreateContainerConfigError");
    assertThat(Json.text(node.status("a"), "message"))
        .isEqualTo("couldn't find key k in ConfigMap default/c");
    assertThat(node.cluster.statusWrites("a")).hasSizeLessThan(5);
  }

  @Test
  void aMissingVolumeDelaysThePodUnlessItIsOptional() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add(
        "a",
        """
        {'volumes': [{'name': 'v', 'secret': {'secretName': 's'}},
           {'name': 'w', 'configMap': {'name': 'none', 'optional': true}},
           {'name': 'x', 'projected': {'sources': [{'configMap': {'name': 'c'}}]}}],
         'containers': [{'name': 'main'}]}
        """);
    node.cluster.addInput(Kind.SECRET, "s", "k", "dg==");
    node.advance(5);
    assertThat(node.waitingReason("a", "main")).isEqualTo("ContainerCreating");
    assertThat(node.container("a", "main").at("/state/waiting").has("message")).isFalse();
    assertThat(PodConditions.isTrue(conditions("a"), "PodReadyToStartContainers")).isFalse();
    assertThat(node.cluster.events())
        .contains(
            "a Warning FailedMount: MountVolume.SetUp failed for volume \"x\" : configmap \"c\" not"
                + " found x1");
    node.cluster.addInput(Kind.CONFIG_MAP, "c", "k", "v");
    node.advance(12);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(PodConditions.isTrue(conditions("a"), "PodReadyToStartContainers")).isTrue();
  }

  @Test
  void aKeyThatAVolumeLacksIsWaitedFor() {
    node.live();
    node.tell("main", FOR_EVER);
    node.tell("first", outcome(1, 0));
    node.add(
        "a",
        """
        {'volumes': [{'name': 'v', 'configMap': {'name': 'c', 'items': [
           {'key': 'k', 'path': 'p'}]}},
           {'name': 'w', 'projected': {'sources': [{'secret': {'name': 's', 'items': [
             {'key': 'k', 'path': 'p'}]}}]}}],
         'initContainers': [{'name': 'first'}],
         'containers': [{'name': 'main'}]}
        """);
    node.cluster.addInput(Kind.CONFIG_MAP, "c", "other", "v");
    node.cluster.addInput(Kind.SECRET, "s", "other", "dg==");
    node.advance(5);
    assertThat(node.waitingReason("a", "first")).isEqualTo("PodInitializing");
    assertThat(node.cluster.events())
        .contains(
            "a Warning FailedMount: MountVolume.SetUp failed for volume \"v\" : configmap references"
                + " non-existent config key: k x1");
    node.cluster.addInput(Kind.CONFIG_MAP, "c", "k", "v");
    node.advance(10);
    assertThat(node.cluster.events())
        .contains(
            "a Warning FailedMount: MountVolume.SetUp failed for volume \"w\" : references"
                + " non-existent secret key: k x1");
    node.cluster.addInput(Kind.SECRET, "s", "k", "dg==");
    node.advance(12);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
  }

  @Test
  void aPodFailsIfItsVolumesAreNotCreatedInTime() {
    node.live();
    node.add(
        "a",
        "{'volumes': [{'name': 'v', 'secret': {'secretName': 's'}}], 'containers': [{'name':"
            + " 'main'}]}");
    node.advance(302);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(node.status("a"), "reason")).isEqualTo("FailedMount");
    assertThat(Json.text(node.status("a"), "message")).isEqualTo("secret \"s\" not found");
  }

  @Test
  void aPodDeletedWhileItWaitsEnds() {
    node.live();
    node.add("a", NEEDS_BOTH);
    node.advance(5);
    node.cluster.requestDeletion("a", 30);
    node.advance(1);
    assertThat(node.cluster.find("a")).isNull();
    assertThat(node.cluster.statusWrites("a").getLast().phase()).isEqualTo("Failed");
  }

  @Test
  void runningContainersAreTakenOverWithoutTheirInputs() {
    Runner first = node.live();
    node.tell("main", outcome(60, 0));
    node.tell("other", outcome(60, 0));
    node.cluster.addInput(Kind.CONFIG_MAP, "c", "k", "v");
    node.cluster.addInput(Kind.SECRET, "s", "k", "dg==");
    node.add("a", NEEDS_BOTH);
    node.advance(1);
    first.close();
    node.cluster.removeInput(Kind.SECRET, "s");
    node.live();
    node.advance(60);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.played).hasSize(2);
  }
}
