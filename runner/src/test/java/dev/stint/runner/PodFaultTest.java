package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.Fault;
import dev.stint.model.Json;
import dev.stint.runner.spec.ResourceAmount;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Pods whose events throw exceptions, which is a fault of ours. */
class PodFaultTest {
  private static final String WITHOUT_AN_OUTCOME = "{'containers': [{'name': 'unknown'}]}";
  private static final String PROBED =
      """
      {'containers': [{'name': 'main', 'livenessProbe':
        {'periodSeconds': 1, 'initialDelaySeconds': 5, 'exec': {'command': ['x']}}}]}
      """;

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void anExceptionFailsThePodAndFreesItsRoom() {
    Runner runner = live();
    node.tell("main", outcome(1, 0));
    node.add("a", WITHOUT_AN_OUTCOME);
    node.add("b", "{}");
    node.advance(3);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(node.status("a"), "reason")).isEqualTo("InternalError");
    assertThat(Json.text(node.status("a"), "message"))
        .isEqualTo("java.lang.NullPointerException: unknown");
    assertThat(node.cluster.phase("b")).isEqualTo("Succeeded");
    assertEnds(runner);
  }

  @Test
  void anExceptionLaterKillsWhatRuns() {
    Runner runner = live();
    node.tell("main", FOR_EVER);
    node.answer((_, _) -> throwing());
    node.add("a", PROBED);
    node.advance(3);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    node.advance(5);
    assertFailed();
    assertEnds(runner);
  }

  @Test
  void anExceptionAtTheNextStartFailsThePod() {
    Runner first = live();
    node.tell("main", FOR_EVER);
    node.add("a", PROBED);
    node.advance(3);
    first.close();
    node.answer((_, _) -> throwing());
    Runner second = live();
    node.advance(8);
    assertFailed();
    assertEnds(second);
  }

  @Test
  void anExceptionInThePodsFieldsHoldsUpNoOther() {
    Runner runner = live();
    node.tell("main", outcome(1, 0));
    node.add("a", "{'containers': [{'name': 'main', 'resources': {'requests': {'cpu': {}}}}]}");
    node.add("b", "{}");
    node.advance(3);
    assertThat(node.cluster.phase("b")).isEqualTo("Succeeded");
    assertEnds(runner);
  }

  @Test
  void anExceptionAfterTheLastStatusWasRefusedIsReported() {
    Runner runner = live();
    node.tell("main", outcome(1, 0));
    node.cluster.failPatches(Reason.INVALID, Reason.INVALID);
    node.add("a", "{}");
    node.advance(3);
    assertThat(node.cluster.phase("a")).as("its last status was refused").isEqualTo("Pending");
    node.cluster.before(
        Fault.once(
            "delete pods",
            () -> {
              throw new IllegalStateException("as told");
            }));
    node.cluster.requestDeletion("a", 30);
    node.advance(3);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(node.status("a"), "reason")).isEqualTo("InternalError");
    assertThat(node.runtime.leftovers().join()).isEmpty();
    assertEnds(runner);
  }

  @Test
  void aPodThatFailedSoCanBeDeleted() {
    live();
    node.add("a", WITHOUT_AN_OUTCOME);
    node.cluster.requestDeletion("a", 30);
    node.advance(1);
    assertThat(node.cluster.find("a")).isNull();
  }

  @Test
  void aPodThatIsDeletedAfterItFailedSoGoes() {
    live();
    node.add("a", WITHOUT_AN_OUTCOME);
    node.advance(1);
    node.cluster.requestDeletion("a", 30);
    node.advance(1);
    assertThat(node.cluster.find("a")).isNull();
  }

  private Runner live() {
    return node.live(
        _ -> new RunnerOptions("here", 1, _ -> true).withMachine(ResourceAmount.UNLIMITED));
  }

  private static <T> CompletableFuture<T> throwing() {
    throw new IllegalStateException("as told");
  }

  private void assertFailed() {
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(node.status("a"), "message"))
        .isEqualTo("java.lang.IllegalStateException: as told");
    assertThat(node.runtime.leftovers().join()).isEmpty();
  }

  private void assertEnds(Runner runner) {
    CompletableFuture<?> ended = runner.interrupt();
    node.advance(1);
    assertThat(ended).isCompleted();
  }
}
