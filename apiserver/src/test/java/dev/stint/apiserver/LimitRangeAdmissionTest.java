package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.patch.FieldManager;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

/** New pods keep within the limit ranges of their namespace, which fill in what they leave out. */
class LimitRangeAdmissionTest {
  private final World world = new World(ApiServer.Options.defaults().withNamespacesThatExist());

  @Test
  void aPodGetsWhatItsContainersLack() {
    limit("'type': 'Container', 'default': {'cpu': '2'}, 'defaultRequest': {'cpu': '1'}");
    KubeObject pod = world.create(World.podJson("p", ""));
    assertThat(pod.tree().at("/spec/containers/0/resources"))
        .isEqualTo(World.tree("{'requests': {'cpu': '1'}, 'limits': {'cpu': '2'}}"));
    assertThat(pod.statusText("qosClass")).isEqualTo("Burstable");
    assertThat(pod.annotation("kubernetes.io/limit-ranger"))
        .isEqualTo(
            "LimitRanger plugin set: cpu request for container main; cpu limit for container main");
  }

  @Test
  void whatAdmissionFillsInBelongsToNobody() {
    limit("'type': 'Container', 'default': {'cpu': '2'}");
    KubeObject pod =
        world.answer(
            ((ApiServer) world.api)
                .registry()
                .create(
                    World.document(World.podJson("p", "")),
                    WriteOptions.PLAIN.by(
                        new FieldManager("me", FieldManager.Operation.UPDATE, "", "v1"))));
    String owned = pod.tree().at("/metadata/managedFields").toString();
    assertThat(owned).contains("f:image").doesNotContain("f:cpu").doesNotContain("limit-ranger");
  }

  @Test
  void aPodBeyondALimitIsRefused() {
    limit("'type': 'Container', 'max': {'cpu': '800m'}");
    String greedy =
        World.podJson("p", "")
            .replace("'image'", "'resources': {'limits': {'cpu': '1500m'}}, 'image'");
    var refusal = world.refusal(world.api.create(World.document(greedy)));
    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal)
        .hasMessage(
            "pods \"p\" is forbidden: maximum cpu usage per Container is 800m, but limit is"
                + " 1500m");
  }

  @Test
  void otherNamespacesHaveOtherLimits() {
    limit("'type': 'Pod', 'max': {'cpu': '1'}");
    world.create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'team'}}");
    assertThat(world.create(World.podJson("p", ", 'namespace': 'team'")).name()).isEqualTo("p");
    assertThat(world.refusal(world.api.create(World.document(World.podJson("p", "")))).getMessage())
        .endsWith("maximum cpu usage per Pod is 1.  No limit is specified");
  }

  private void limit(String item) {
    world.create(
        "{'apiVersion': 'v1', 'kind': 'LimitRange', 'metadata': {'name': 'l'}, 'spec': {'limits': [{"
            + item
            + "}]}}");
  }
}
