package dev.stint.controllers.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RootCaPublisherTest {
  private static final ObjectRef TEAM = TestWorld.namespace("team");
  private static final ObjectRef ROOT = new ObjectRef(Kind.CONFIG_MAP, "team", "kube-root-ca.crt");
  private static final String DESCRIPTION = "kubernetes.io/description";

  private final TestWorld world = new TestWorld();
  private final RootCaPublisher controller =
      new RootCaPublisher(world.api, world.eventLoop, Metrics.NONE, "PEM");

  @BeforeEach
  void start() {
    controller.start();
    world.settle();
  }

  @Test
  void everyNamespaceHasTheAuthorityAndADeletedOneIsRecreated() {
    world.add(TEAM, "");
    world.settle();
    assertThat(data()).isEqualTo("{\"ca.crt\":\"PEM\"}");
    assertThat(description()).startsWith("Contains a CA bundle that can be used to verify");

    world.api.remove(ROOT, Propagation.BACKGROUND);
    world.settle();
    assertThat(data()).isEqualTo("{\"ca.crt\":\"PEM\"}");
  }

  @Test
  void changesByOthersAreReverted() {
    world.add(TEAM, "");
    world.settle();
    world.api.change(ROOT, "{'data': {'ca.crt': 'other', 'more': 'x'}}");
    world.settle();
    assertThat(data()).isEqualTo("{\"ca.crt\":\"PEM\"}");

    world.api.change(ROOT, "{'metadata': {'annotations': null, 'labels': {'mine': 'yes'}}}");
    world.settle();
    assertThat(description()).startsWith("Contains a CA bundle");
    assertThat(world.see(ROOT).labels()).containsKey("mine");
  }

  @Test
  void anotherAuthorityReplacesAnEarlierOne() {
    world.add(TEAM, "");
    world.settle();
    controller.close();
    new RootCaPublisher(world.api, world.eventLoop, Metrics.NONE, "NEW").start();
    world.settle();
    assertThat(data()).isEqualTo("{\"ca.crt\":\"NEW\"}");
  }

  @Test
  void ownDescriptionsAndOtherConfigMapsStay() {
    world.add(TEAM, "");
    world.settle();
    world.api.change(ROOT, "{'metadata': {'annotations': {'kubernetes.io/description': 'ours'}}}");
    world.add(new ObjectRef(Kind.CONFIG_MAP, "team", "other"), "");
    world.pass(Duration.ofMinutes(1));
    assertThat(description()).isEqualTo("ours");
    assertThat(world.api.requests).as("it was made").hasSize(1);
  }

  private String data() {
    return String.valueOf(Json.objectAt(world.see(ROOT).tree(), "data"));
  }

  private String description() {
    KubeObject root = world.see(ROOT);
    return root.tree().path("metadata").path("annotations").path(DESCRIPTION).asString("");
  }
}
