package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PodDeadlineTest {
  private final SimulatedNode node = new SimulatedNode();

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

  private void add(String more) {
    node.live();
    node.tell("main", SimulatedNode.FOR_EVER);
    node.add("a", "{'restartPolicy': 'Never', 'containers': [{'name': 'main'}]" + more + "}");
  }

  private String reason() {
    return node.status("a").path("reason").asString("");
  }
}
