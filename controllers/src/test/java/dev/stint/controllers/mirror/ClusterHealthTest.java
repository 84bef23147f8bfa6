package dev.stint.controllers.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.EventLoop;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClusterHealthTest {
  private final TestWorld world = new TestWorld();

  /** The time by which the clock is ahead of the timers, such as after a sleep. */
  private Duration ahead = Duration.ZERO;

  private int news;
  private final ClusterHealth health =
      new ClusterHealth(
          "the worker",
          world.api,
          new EventLoop(
              world, () -> world.now().plus(ahead), world.time, world.time, new Random(1)),
          () -> news++);

  ClusterHealthTest() {
    world.add(TestWorld.namespace("kube-system"), "'uid':'here'");
    health.probe();
    world.settle();
  }

  /** Lets the next check fail, and those after it. */
  private void goAway() {
    world.api.before(Fault.unavailable("get"));
    world.pass(Duration.ofSeconds(10));
  }

  @Test
  void aClusterThatAnswersCanBeUsed() {
    assertThat(health.identity()).isEqualTo("here");
    assertThat(health.isUsable()).isTrue();
    assertThat(health.silentSince()).isNull();
    assertThat(news).isEqualTo(1);
  }

  @Test
  void aClusterIsUnreachableAfterSomeSecondsOfSilence() {
    goAway();
    world.pass(Duration.ofSeconds(4));
    assertThat(health.isUsable()).isTrue();
    world.pass(Duration.ofSeconds(6));
    assertThat(health.isUsable()).isFalse();
    assertThat(health.silentSince()).isEqualTo(world.now().minusSeconds(10));
    world.api.heal();
    world.pass(Duration.ofSeconds(30));
    assertThat(health.isUsable()).isTrue();
    assertThat(news).isEqualTo(3);
  }

  @Test
  void aSleepOfTheMachineIsNoSilence() {
    goAway();
    ahead = Duration.ofHours(8);
    world.pass(Duration.ofSeconds(4));
    assertThat(health.problem()).isNull();
  }

  @Test
  void aClockThatIsSetBackHidesNoSilence() {
    goAway();
    ahead = Duration.ofHours(-1);
    world.pass(Duration.ofSeconds(10));
    assertThat(health.problem()).isNotNull();
  }
}
