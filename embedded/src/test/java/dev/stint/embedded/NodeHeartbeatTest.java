package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.runner.spec.ResourceAmount;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A cluster taints a node that has not said for 40 s that it is ready. */
class NodeHeartbeatTest {
  private static final ObjectRef NODE = new ObjectRef(Kind.NODE, "", "bench");

  private final TestWorld world = new TestWorld();
  private final LocalNode node =
      new LocalNode(world.api, world.time, "bench", 1, ResourceAmount.UNLIMITED, null);
  private final NodeHeartbeat heartbeat = new NodeHeartbeat(node, world.time);

  private void begin() {
    world.api.define(Kind.NODE);
    world.answer(node.register());
    heartbeat.start();
  }

  private JsonNode ready() {
    return world.see(NODE).tree().at("/status/conditions/0");
  }

  private Duration silence() {
    Instant last = Instant.parse(ready().path("lastHeartbeatTime").asString());
    return Duration.between(last, world.now());
  }

  @Test
  void aNodeIsNeverSilentForLong() {
    Instant start = world.now();
    begin();
    for (int second = 0; second < 100; second++) {
      world.pass(Duration.ofSeconds(1));
      assertThat(silence()).isLessThan(NodeHeartbeat.PERIOD);
    }
    assertThat(ready().path("status").asString()).isEqualTo("True");
    assertThat(ready().path("lastTransitionTime").asString()).isEqualTo(start.toString());
  }

  @Test
  void aNodeThatWasTakenForDeadIsReadyAgain() {
    begin();
    world.api.change(NODE, "{'status':{'conditions':[{'type':'Ready','status':'Unknown'}]}}");
    world.pass(NodeHeartbeat.PERIOD);
    assertThat(ready().path("status").asString()).isEqualTo("True");
  }

  @Test
  void itGoesOnAfterFailures() {
    begin();
    world.api.before(Fault.unavailable("patchStatus nodes"));
    world.pass(Duration.ofSeconds(25));
    assertThat(silence()).isEqualTo(Duration.ofSeconds(25));
    world.api.heal();
    world.pass(Duration.ofSeconds(5));
    assertThat(silence()).isZero();
  }

  @Test
  void itEnds() {
    begin();
    heartbeat.close();
    int before = world.api.requests.size();
    world.pass(Duration.ofMinutes(1));
    heartbeat.start();
    world.pass(Duration.ofMinutes(1));
    assertThat(world.api.requests).hasSize(before);
  }
}
