package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.EventLoop;
import dev.stint.harness.ShortTimers;
import dev.stint.runner.spec.ResourceAmount;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PodDeadlineTest {
  private final SimulatedNode node = new SimulatedNode();
  private Duration ahead = Duration.ZERO;

  @Test
  void aDeadlineThatIsAddedToAPodThatRunsCountsFromItsStart() {
    add("");
    node.advance(10);
    node.cluster.update("a", "{'activeDeadlineSeconds': 20}");
    node.advance(9);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    node.advance(2);
    assertThat(reason()).isEqualTo("DeadlineExceeded");
  }

  @Test
  void aDeadlineThatIsShortenedIntoThePastEndsThePodAtOnce() {
    add(", 'activeDeadlineSeconds': 1000");
    node.advance(10);
    node.cluster.update("a", "{'activeDeadlineSeconds': 5}");
    node.advance(1);
    assertThat(reason()).isEqualTo("DeadlineExceeded");
  }

  @Test
  void aDeadlineThatIsLengthenedHoldsInPlaceOfTheOldOne() {
    add(", 'activeDeadlineSeconds': 20");
    node.advance(10);
    node.cluster.update("a", "{'activeDeadlineSeconds': 40}");
    node.advance(29);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    node.advance(2);
    assertThat(reason()).isEqualTo("DeadlineExceeded");
  }

  @Test
  void aRemovedDeadlineEndsNothing() {
    add(", 'activeDeadlineSeconds': 20");
    node.cluster.update("a", "{'activeDeadlineSeconds': null}");
    node.pass(Duration.ofMinutes(5));
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
  }

  @Test
  void aDeadlineThatPassesWhileTheMachineSleepsEndsThePodSoonAfter() {
    liveByAnotherClock();
    addPod(", 'activeDeadlineSeconds': 3600");
    node.advance(1);
    ahead = Duration.ofHours(8);
    node.pass(Duration.ofSeconds(31));
    assertThat(reason()).isEqualTo("DeadlineExceeded");
  }

  @Test
  void aClockThatIsSetBackMakesADeadlineLater() {
    liveByAnotherClock();
    addPod(", 'activeDeadlineSeconds': 20");
    ahead = Duration.ofMinutes(-1);
    node.pass(Duration.ofMinutes(1));
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    node.pass(Duration.ofSeconds(21));
    assertThat(reason()).isEqualTo("DeadlineExceeded");
  }

  /** Starts a runner whose clock is ahead of the timers, such as after a sleep, or behind them. */
  private void liveByAnotherClock() {
    EventLoop loop =
        new EventLoop(
            node.loop,
            () -> node.time.instant().plus(ahead),
            node.time,
            new ShortTimers(node.time),
            new Random(1));
    RunnerOptions options =
        new RunnerOptions("here", 9, _ -> true).withMachine(ResourceAmount.UNLIMITED);
    new Runner(node.cluster, node.runtime, loop, options).start();
    node.run();
  }

  private void add(String more) {
    node.live();
    addPod(more);
  }

  private void addPod(String more) {
    node.tell("main", SimulatedNode.FOR_EVER);
    node.add("a", "{'restartPolicy': 'Never', 'containers': [{'name': 'main'}]" + more + "}");
  }

  private String reason() {
    return node.status("a").path("reason").asString("");
  }
}
