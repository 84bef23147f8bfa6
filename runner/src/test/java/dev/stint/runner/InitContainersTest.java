package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InitContainersTest {
  private static final String TWO_THEN_MAIN =
      """
      {'restartPolicy': '%s', 'initContainers': [{'name': 'one'}, {'name': 'two'}],
       'containers': [{'name': 'main'}]}
      """;

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void initContainersRunOneAfterTheOtherBeforeTheMainOnes() {
    node.live();
    node.tell("one", outcome(10, 0));
    node.tell("two", outcome(10, 0));
    node.tell("main", outcome(10, 0));
    node.add("a", TWO_THEN_MAIN.formatted("Never"));
    node.advance(5);
    assertThat(node.played).containsExactly("one");
    assertThat(node.cluster.phase("a")).isEqualTo("Pending");
    assertThat(node.condition("a", "Initialized"))
        .isEqualTo("False ContainersNotInitialized containers with incomplete status: [one two]");
    assertThat(node.waitingReason("a", "two")).isEqualTo("PodInitializing");
    assertThat(node.waitingReason("a", "main")).isEqualTo("PodInitializing");
    node.advance(10);
    assertThat(node.played).containsExactly("one", "two");
    assertThat(node.container("a", "one").path("ready").booleanValue()).isTrue();
    assertThat(node.condition("a", "Initialized")).endsWith("incomplete status: [two]");
    node.advance(10);
    assertThat(node.played).containsExactly("one", "two", "main");
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.condition("a", "Initialized")).isEqualTo("True");
    node.advance(10);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.exitCode("a", "two")).isZero();
  }

  @Test
  void aFailingInitContainerOfAPodThatIsNotRestartedFailsThePod() {
    node.live();
    node.tell("one", outcome(1, 3));
    node.add("a", TWO_THEN_MAIN.formatted("Never"));
    node.advance(2);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(node.played).containsExactly("one");
    assertThat(node.exitCode("a", "one")).isEqualTo(3);
    assertThat(node.waitingReason("a", "main")).isEqualTo("PodInitializing");
    assertThat(node.condition("a", "Initialized")).startsWith("False ContainersNotInitialized");
  }

  @Test
  void aFailingInitContainerIsRestartedWithBackOff() {
    node.live();
    node.tell("one", outcome(1, 3), outcome(1, 3), outcome(1, 0));
    node.tell("two", outcome(1, 0));
    node.tell("main", FOR_EVER);
    node.add("a", TWO_THEN_MAIN.formatted("OnFailure"));
    node.advance(3);
    assertThat(node.waitingReason("a", "one")).isEqualTo("CrashLoopBackOff");
    assertThat(node.cluster.phase("a")).isEqualTo("Pending");
    node.advance(15);
    assertThat(node.played).containsExactly("one", "one", "one", "two", "main");
    assertThat(node.container("a", "one").path("restartCount").intValue()).isEqualTo(2);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
  }

  @Test
  void aRestartContinuesAtTheInterruptedInitContainer() {
    Runner first = node.live();
    node.tell("one", outcome(10, 0));
    node.tell("two", outcome(10, 0));
    node.tell("main", outcome(10, 0));
    node.add("a", TWO_THEN_MAIN.formatted("Never"));
    node.advance(15);
    first.close();
    node.advance(20);
    node.live();
    node.advance(20);
    assertThat(node.played).containsExactly("one", "two", "main");
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
  }

  @Test
  void aRestartKeepsAnInitializedPodInitialized() {
    Runner first = node.live();
    node.tell("one", outcome(1, 0));
    node.tell("two", outcome(1, 0));
    node.tell("main", outcome(60, 4));
    node.add("a", TWO_THEN_MAIN.formatted("Never"));
    node.advance(10);
    first.close();
    node.live();
    node.advance(60);
    assertThat(node.played).containsExactly("one", "two", "main");
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(node.exitCode("a", "main")).isEqualTo(4);
    assertThat(node.exitCode("a", "one")).isZero();
  }

  @Test
  void aPodDeletedDuringItsInitContainersEndsThemAndStartsNoMore() {
    node.live();
    node.tell("one", outcome(60, 0));
    node.add("a", TWO_THEN_MAIN.formatted("OnFailure"));
    node.advance(1);
    node.cluster.requestDeletion("a", 30);
    node.advance(1);
    assertThat(node.cluster.find("a")).isNull();
    assertThat(node.cluster.statusWrites("a").getLast().phase()).isEqualTo("Failed");
    assertThat(node.played).containsExactly("one");
  }
}
