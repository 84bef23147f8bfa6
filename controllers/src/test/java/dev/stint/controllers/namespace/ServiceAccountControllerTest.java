package dev.stint.controllers.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.FakeRequest;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServiceAccountControllerTest {
  private static final ObjectRef TEAM = TestWorld.namespace("team");
  private static final ObjectRef ACCOUNT = new ObjectRef(Kind.SERVICE_ACCOUNT, "team", "default");

  private final TestWorld world = new TestWorld();
  private final ServiceAccountController controller =
      new ServiceAccountController(world.api, world.eventLoop, Metrics.NONE);

  @BeforeEach
  void start() {
    controller.start();
    world.settle();
  }

  @Test
  void everyNamespaceHasOneAndADeletedOneIsRecreated() {
    world.add(TEAM, "");
    world.settle();
    assertThat(world.exists(ACCOUNT)).isTrue();

    world.api.remove(ACCOUNT, Propagation.BACKGROUND);
    world.settle();
    assertThat(world.exists(ACCOUNT)).isTrue();
    assertThat(world.api.requests).hasSize(2);
  }

  @Test
  void anExistingOneStaysUnchanged() {
    world.api.holdNews();
    world.add(TEAM, "");
    world.add(ACCOUNT, "'labels': {'mine': 'yes'}");
    world.api.releaseNews();
    world.settle();
    assertThat(world.see(ACCOUNT).labels()).containsKey("mine");
  }

  @Test
  void aTerminatingNamespaceGetsNone() {
    world.add(TEAM, "");
    world.settle();
    world.api.holdNews();
    world.api.remove(TEAM, Propagation.BACKGROUND);
    world.api.resumeNews(); // Its deletion has not been reported yet.
    world.api.remove(ACCOUNT, Propagation.BACKGROUND);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.exists(ACCOUNT)).isFalse();
    assertThat(world.api.requests).as("and nobody insists").hasSize(2);
  }

  @Test
  void failuresAreRetried() {
    world.api.before(Fault.unavailable(FakeRequest::isWrite));
    world.add(TEAM, "");
    world.pass(Duration.ofSeconds(1));
    assertThat(world.exists(ACCOUNT)).isFalse();
    world.api.heal();
    world.pass(Duration.ofSeconds(10));
    assertThat(world.exists(ACCOUNT)).isTrue();
  }
}
