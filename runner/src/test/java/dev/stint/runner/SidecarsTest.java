package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SidecarsTest {
  private static final String TWO_AND_MAIN =
      """
      {'restartPolicy': 'Never', 'terminationGracePeriodSeconds': 20,
       'initContainers': [{'name': 'one', 'restartPolicy': 'Always'},
         {'name': 'two', 'restartPolicy': 'Always'}],
       'containers': [{'name': 'main'}]}
      """;

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void sidecarsStartInOrderAndEndInReverseOnceTheWorkIsDone() {
    node.live();
    node.tell("one", new Outcome(Duration.ofDays(1), 0, Duration.ofSeconds(5)));
    node.tell("two", new Outcome(Duration.ofDays(1), 0, Duration.ofSeconds(5)));
    node.tell("main", outcome(10, 0));
    node.add("a", TWO_AND_MAIN);
    node.advance(5);
    assertThat(node.played).containsExactly("one", "two", "main");
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.condition("a", "Ready")).isEqualTo("True");
    node.advance(7);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.exitCode("a", "main")).isZero();
    node.advance(10);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.finishedAt("a", "two")).isEqualTo("2026-01-01T00:00:15Z");
    assertThat(node.finishedAt("a", "one")).isEqualTo("2026-01-01T00:00:20Z");
    assertThat(node.exitCode("a", "one")).isEqualTo(143);
    assertThat(node.played).hasSize(3);
  }

  @Test
  void sidecarsThatDoNotEndAreKilledWhenTheGraceOfAllIsOver() {
    node.live();
    Outcome stubborn = new Outcome(Duration.ofDays(1), 0, Duration.ofDays(1));
    node.tell("one", stubborn);
    node.tell("two", stubborn);
    node.tell("main", outcome(10, 3));
    node.add("a", TWO_AND_MAIN);
    node.advance(40);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(node.exitCode("a", "main")).isEqualTo(3);
    assertThat(node.exitCode("a", "one")).isEqualTo(137);
    assertThat(node.finishedAt("a", "one")).isEqualTo("2026-01-01T00:00:30Z");
    assertThat(node.finishedAt("a", "two")).isEqualTo("2026-01-01T00:00:30Z");
  }

  @Test
  void aSidecarIsRestartedWhateverThePodsPolicyAndDoesNotDecideThePhase() {
    node.live();
    node.tell("one", outcome(5, 9), FOR_EVER);
    node.tell("two", outcome(5, 0), FOR_EVER);
    node.tell("main", outcome(30, 0));
    node.add("a", TWO_AND_MAIN);
    node.advance(10);
    assertThat(node.played).containsExactly("one", "two", "main", "one", "two");
    assertThat(node.container("a", "one").path("restartCount").intValue()).isEqualTo(1);
    assertThat(node.condition("a", "Initialized")).isEqualTo("True");
    node.advance(30);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
  }

  @Test
  void aSidecarInBackOffDoesNotDelayAFinishedPod() {
    node.live();
    node.tell("one", outcome(1, 9));
    node.tell("two", FOR_EVER);
    node.tell("main", outcome(20, 0));
    node.add("a", TWO_AND_MAIN);
    node.advance(10);
    assertThat(node.waitingReason("a", "one")).isEqualTo("CrashLoopBackOff");
    node.advance(11);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.exitCode("a", "one")).isEqualTo(9);
  }

  @Test
  void theNextContainerWaitsForTheStartupProbeOfASidecar() {
    node.live();
    node.tell("side", FOR_EVER);
    node.tell("main", outcome(1, 0));
    node.answerWith(false);
    node.add(
        "a",
        """
        {'restartPolicy': 'Never',
         'initContainers': [{'name': 'side', 'restartPolicy': 'Always', 'startupProbe':
           {'exec': {'command': ['up']}, 'periodSeconds': 2, 'failureThreshold': 100}}],
         'containers': [{'name': 'main'}]}
        """);
    node.advance(11);
    assertThat(node.played).containsExactly("side");
    assertThat(node.container("a", "side").path("started").booleanValue()).isFalse();
    assertThat(node.condition("a", "Initialized")).endsWith("[side]");
    node.answerWith(true);
    node.advance(5);
    assertThat(node.played).containsExactly("side", "main");
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
  }

  @Test
  void aDeletedPodEndsItsWorkFirstAndItsSidecarsThen() {
    node.live();
    node.tell("one", new Outcome(Duration.ofDays(1), 0, Duration.ofSeconds(2)));
    node.tell("two", new Outcome(Duration.ofDays(1), 0, Duration.ofSeconds(2)));
    node.tell("main", new Outcome(Duration.ofDays(1), 0, Duration.ofSeconds(5)));
    node.add("a", TWO_AND_MAIN);
    node.advance(10);
    node.cluster.requestDeletion("a", 20);
    node.advance(15);
    var last = node.cluster.statusWrites("a").getLast().status();
    assertThat(last.at("/containerStatuses/0/state/terminated/finishedAt").stringValue())
        .isEqualTo("2026-01-01T00:00:15Z");
    assertThat(last.at("/initContainerStatuses/1/state/terminated/finishedAt").stringValue())
        .isEqualTo("2026-01-01T00:00:17Z");
    assertThat(last.at("/initContainerStatuses/0/state/terminated/finishedAt").stringValue())
        .isEqualTo("2026-01-01T00:00:19Z");
    assertThat(node.cluster.find("a")).isNull();
  }

  @Test
  void aRestartTakesOverTheWorkBeforeItsSidecarIsReady() {
    Runner first = node.live();
    node.tell("side", FOR_EVER);
    node.tell("main", outcome(60, 0));
    node.add(
        "a",
        """
        {'restartPolicy': 'Never',
         'initContainers': [{'name': 'side', 'restartPolicy': 'Always', 'startupProbe':
           {'exec': {'command': ['up']}}}],
         'containers': [{'name': 'main'}]}
        """);
    node.advance(10);
    first.close();
    node.answerWith(false);
    node.live();
    node.advance(60);
    assertThat(node.played).containsExactly("side", "main");
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
  }
}
