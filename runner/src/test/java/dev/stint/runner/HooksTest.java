package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.spec.Handler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HooksTest {
  private static final String POD =
      """
      {'restartPolicy': 'Never', 'terminationGracePeriodSeconds': 10,
       'containers': [{'name': 'main', 'lifecycle': {%s}}]}
      """;
  private static final String EXEC = "{'exec': {'command': ['hook']}}";

  private final SimulatedNode node = new SimulatedNode();
  private final CompletableFuture<Handler.Result> answer = new CompletableFuture<>();

  @Test
  void aContainerRunsOnceItsPostStartHookIsDone() {
    node.live();
    node.tell("main", FOR_EVER);
    node.answer((_, _) -> answer);
    node.add("a", POD.formatted("'postStart': " + EXEC));
    node.advance(60);
    assertThat(node.cluster.phase("a")).isEqualTo("Pending");
    answer.complete(Handler.Result.GOOD);
    node.advance(1);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.condition("a", "Ready")).isEqualTo("True");
  }

  @Test
  void aFailedPostStartHookEndsTheContainer() {
    node.live();
    node.tell("main", FOR_EVER);
    node.answerWith(false);
    node.add("a", POD.formatted("'postStart': " + EXEC));
    node.advance(1);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(node.exitCode("a", "main")).isEqualTo(143);
  }

  @Test
  void theNextLifeDoesNotRunAPostStartHookAgain() {
    Runner first = node.live();
    node.tell("main", FOR_EVER);
    node.add("a", POD.formatted("'postStart': " + EXEC));
    node.advance(1);
    first.close();
    node.live();
    node.advance(1);
    assertThat(node.handled).hasSize(1);
    assertThat(node.condition("a", "Ready")).isEqualTo("True");
  }

  @Test
  void termComesAfterThePreStopHook() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", POD.formatted("'preStop': {'sleep': {'seconds': 4}}"));
    node.advance(1);
    node.cluster.requestDeletion("a", 10);
    node.advance(3);
    assertThat(node.cluster.find("a")).isNotNull();
    node.advance(2);
    assertThat(node.cluster.find("a")).isNull();
    assertThat(exitCode()).isEqualTo(143);
  }

  @Test
  void aPreStopHookThatTakesTooLongIsCutOffAndLeavesTwoSecondsForTerm() {
    node.live();
    node.tell("main", new Outcome(Duration.ofDays(1), 0, Duration.ofDays(1)));
    node.answer((_, _) -> answer);
    node.add("a", POD.formatted("'preStop': " + EXEC));
    node.advance(1);
    node.cluster.requestDeletion("a", 10);
    node.advance(9);
    assertThat(answer).isNotDone();
    node.advance(2);
    assertThat(answer).isCancelled();
    assertThat(node.cluster.find("a")).isNotNull();
    node.advance(2);
    assertThat(node.cluster.find("a")).isNull();
    assertThat(exitCode()).isEqualTo(137);
  }

  @Test
  void aPreStopHookThatIsJustInTimeLeavesTwoSecondsForTermToo() {
    node.live();
    node.tell("main", new Outcome(Duration.ofDays(1), 0, Duration.ofDays(1)));
    node.add("a", POD.formatted("'preStop': {'sleep': {'seconds': 9}}"));
    node.advance(1);
    node.cluster.requestDeletion("a", 10);
    node.advance(10);
    node.run();
    assertThat(node.cluster.find("a")).isNotNull();
    node.time.advance(Duration.ofMillis(900));
    node.run();
    assertThat(node.cluster.find("a")).isNotNull();
    node.advance(1);
    assertThat(node.cluster.find("a")).isNull();
    assertThat(exitCode()).isEqualTo(137);
  }

  @Test
  void theHookAndTermShareTheGracePeriod() {
    node.live();
    node.tell("main", new Outcome(Duration.ofDays(1), 0, Duration.ofDays(1)));
    node.add("a", POD.formatted("'preStop': {'sleep': {'seconds': 4}}"));
    node.advance(1);
    node.cluster.requestDeletion("a", 10);
    node.advance(9);
    assertThat(node.cluster.find("a")).isNotNull();
    node.advance(2);
    assertThat(node.cluster.find("a")).isNull();
    assertThat(exitCode()).isEqualTo(137);
  }

  @Test
  void aContainerThatEndsByItselfHasNoPreStopHookCalled() {
    node.live();
    node.tell("main", SimulatedNode.outcome(1, 0));
    node.add("a", POD.formatted("'preStop': " + EXEC));
    node.advance(2);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.handled).isEmpty();
  }

  private int exitCode() {
    return node.cluster
        .statusWrites("a")
        .getLast()
        .status()
        .at("/containerStatuses/0/state/terminated/exitCode")
        .intValue();
  }
}
