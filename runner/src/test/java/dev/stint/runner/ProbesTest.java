package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.Handler;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ProbesTest {
  private static final String POD =
      """
      {'restartPolicy': '%s', 'terminationGracePeriodSeconds': 10, 'containers': [{'name': 'main',
        %s}]}
      """;
  private static final String EXEC = "'exec': {'command': ['check']}";

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void aContainerIsReadyWhenItsReadinessProbeSaysSo() {
    node.live();
    node.tell("main", FOR_EVER);
    node.answerWith(false);
    node.add("a", POD.formatted("Never", "'readinessProbe': {" + EXEC + ", 'periodSeconds': 5}"));
    node.advance(7);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.container("a", "main").path("ready").booleanValue()).isFalse();
    assertThat(node.container("a", "main").path("started").booleanValue()).isTrue();
    assertThat(node.condition("a", "Ready"))
        .isEqualTo("False ContainersNotReady containers with unready status: [main]");
    node.answerWith(true);
    node.advance(5);
    assertThat(node.condition("a", "Ready")).isEqualTo("True");
    node.answerWith(false);
    node.advance(10);
    assertThat(node.condition("a", "Ready")).isEqualTo("True");
    node.advance(5);
    assertThat(node.condition("a", "ContainersReady")).startsWith("False");
    assertThat(node.played).hasSize(1);
  }

  @Test
  void aContainerThatIsNotAliveIsEndedAndRestartedByPolicy() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add(
        "a",
        POD.formatted(
            "OnFailure",
            "'livenessProbe': {" + EXEC + ", 'periodSeconds': 2, 'initialDelaySeconds': 10}"));
    node.advance(9);
    assertThat(node.handled).isEmpty();
    node.advance(4);
    assertThat(node.handled).hasSize(2);
    node.answerWith(false);
    node.advance(4);
    assertThat(node.played).hasSize(1);
    node.advance(2);
    assertThat(node.played).hasSize(2);
    node.answerWith(true);
    node.advance(20);
    assertThat(node.container("a", "main").path("restartCount").intValue()).isEqualTo(1);
    assertThat(node.container("a", "main").at("/lastState/terminated/exitCode").intValue())
        .isEqualTo(143);
  }

  @Test
  void aContainerThatIsNotAliveFailsAPodThatIsNotRestarted() {
    node.live();
    node.tell("main", new Outcome(Duration.ofDays(1), 0, Duration.ofDays(1)));
    node.answerWith(false);
    node.add(
        "a",
        POD.formatted(
            "Never",
            "'livenessProbe': {"
                + EXEC
                + ", 'failureThreshold': 1, 'terminationGracePeriodSeconds': 3}"));
    node.advance(2);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    node.advance(2);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(node.exitCode("a", "main")).isEqualTo(137);
  }

  @Test
  void otherProbesWaitForTheStartupProbe() {
    node.live();
    node.tell("main", FOR_EVER);
    node.answer((_, handler) ->
        CompletableFuture.completedFuture(
            handler.equals(new Handler.Exec(java.util.List.of("up")))
                ? Handler.Result.bad("not yet")
                : Handler.Result.GOOD));
    node.add(
        "a",
        POD.formatted(
            "Never",
            "'startupProbe': {'exec': {'command': ['up']}, 'periodSeconds': 1, 'failureThreshold':"
                + " 20}, 'livenessProbe': {'tcpSocket': {'port': 80}}"));
    node.advance(5);
    assertThat(node.container("a", "main").path("started").booleanValue()).isFalse();
    assertThat(node.container("a", "main").path("ready").booleanValue()).isFalse();
    assertThat(node.handled).isNotEmpty().allMatch(each -> each.startsWith("main Exec"));
    node.answerWith(true);
    node.advance(2);
    assertThat(node.container("a", "main").path("started").booleanValue()).isTrue();
    assertThat(node.handled).contains("main " + new Handler.TcpSocket("", 80));
    int asked = node.handled.size();
    node.advance(5);
    assertThat(node.handled).hasSize(asked);
  }

  @Test
  void aStartupProbeThatNeverPassesEndsTheContainer() {
    node.live();
    node.tell("main", FOR_EVER);
    node.answerWith(false);
    node.add(
        "a",
        POD.formatted(
            "Never", "'startupProbe': {" + EXEC + ", 'periodSeconds': 2, 'failureThreshold': 4}"));
    node.advance(5);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    node.advance(3);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
  }

  @Test
  void noAnswerInTimeIsABadOneAndTheCallIsCancelled() {
    node.live();
    node.tell("main", FOR_EVER);
    CompletableFuture<Handler.Result> silence = new CompletableFuture<>();
    node.answer((_, _) -> silence);
    node.add(
        "a",
        POD.formatted(
            "Never",
            "'livenessProbe': {" + EXEC + ", 'timeoutSeconds': 4, 'failureThreshold': 1}"));
    node.advance(3);
    assertThat(silence).isNotDone();
    node.advance(2);
    assertThat(silence).isCancelled();
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
  }

  /** It says nothing about the container. A kubelet drops such a result, too. */
  @Test
  void aProbeThatCannotBeCarriedOutHasNoConsequence() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add(
        "a",
        POD.formatted(
            "Never",
            "'livenessProbe': {"
                + EXEC
                + ", 'periodSeconds': 1, 'failureThreshold': 2}, 'readinessProbe': {"
                + EXEC
                + ", 'periodSeconds': 1, 'failureThreshold': 1}"));
    node.advance(3);
    node.answer((_, _) -> CompletableFuture.failedFuture(new IOException("no process")));
    node.advance(10);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.condition("a", "Ready")).isEqualTo("True");
    assertThat(node.cluster.events())
        .anyMatch(event ->
            event.startsWith(
                "a Warning Unhealthy: Liveness probe errored and resulted in unknown state:"));
    node.answerWith(false);
    node.advance(4);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
  }

  /** A runtime repeats an attempt that it took over and then lost. */
  @Test
  void theProbesOfAnAttemptThatIsRepeatedBeginAnew() {
    node.live();
    node.tell("main", outcome(20, 0));
    node.add(
        "a",
        POD.formatted(
            "Never",
            "'startupProbe': {"
                + EXEC
                + ", 'periodSeconds': 1, 'failureThreshold': 99}, 'livenessProbe': {'tcpSocket':"
                + " {'port': 80}, 'periodSeconds': 1}"));
    node.advance(3);
    assertThat(node.container("a", "main").path("started").booleanValue()).isTrue();
    node.answerWith(false);
    node.handled.clear();
    startAgain("another");
    node.advance(3);
    assertThat(node.container("a", "main").path("started").booleanValue()).isFalse();
    assertThat(node.handled).isNotEmpty().allMatch(each -> each.startsWith("main Exec"));
    node.advance(15);
    int asked = node.handled.size();
    node.advance(10);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.handled).hasSize(asked);
  }

  @Test
  void aStartThatIsToldAgainLeavesTheProbesAsTheyAre() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", POD.formatted("Never", "'readinessProbe': {" + EXEC + ", 'periodSeconds': 1}"));
    node.advance(4);
    int asked = node.handled.size();
    startAgain(node.container("a", "main").path("containerID").stringValue());
    assertThat(node.condition("a", "Ready")).isEqualTo("True");
    node.advance(4);
    assertThat(node.handled).hasSize(asked + 4);
  }

  private void startAgain(String containerId) {
    node.listeners
        .getLast()
        .onStarted(new StartedContainer(containerId, 0, node.time.instant(), null));
    node.run();
  }

  @Test
  void probesEndWithTheirContainer() {
    node.live();
    node.tell("main", outcome(5, 0));
    node.add("a", POD.formatted("Never", "'livenessProbe': {" + EXEC + ", 'periodSeconds': 1}"));
    node.advance(6);
    int asked = node.handled.size();
    node.advance(10);
    assertThat(node.handled).hasSize(asked);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
  }

  @Test
  void aDeletedPodIsProbedForReadinessOnly() {
    node.live();
    node.tell("main", new Outcome(Duration.ofDays(1), 0, Duration.ofDays(1)));
    node.add(
        "a",
        POD.formatted(
            "Never",
            "'readinessProbe': {'tcpSocket': {'port': 80}, 'periodSeconds': 1}, 'livenessProbe': {"
                + EXEC
                + ", 'periodSeconds': 1, 'failureThreshold': 1, 'terminationGracePeriodSeconds':"
                + " 1}"));
    node.advance(2);
    node.cluster.requestDeletion("a", 10);
    node.answerWith(false);
    node.advance(8);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.condition("a", "Ready")).startsWith("False ContainersNotReady");
    assertThat(node.cluster.events()).noneMatch(each -> each.contains("Liveness"));
    node.advance(3);
    assertThat(node.cluster.find("a")).isNull();
  }

  @Test
  void aStartupProbeEndsWithTheDeletionOfThePod() {
    node.live();
    node.tell("main", new Outcome(Duration.ofDays(1), 0, Duration.ofDays(1)));
    node.answerWith(false);
    node.add(
        "a",
        POD.formatted(
            "Never", "'startupProbe': {" + EXEC + ", 'periodSeconds': 2, 'failureThreshold': 4}"));
    node.advance(5);
    node.cluster.requestDeletion("a", 20);
    int asked = node.handled.size();
    node.advance(15);
    assertThat(node.handled).hasSize(asked);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
  }

  @Test
  void aContainerThatIsTakenOverInADeletedPodIsNotProbedForLife() {
    Runner first = node.live();
    node.tell("main", new Outcome(Duration.ofDays(1), 0, Duration.ofDays(1)));
    node.add("a", POD.formatted("Never", "'livenessProbe': {" + EXEC + ", 'periodSeconds': 1}"));
    node.advance(2);
    first.close();
    node.run();
    node.cluster.requestDeletion("a", 20);
    int asked = node.handled.size();
    node.live();
    node.advance(5);
    assertThat(node.handled).hasSize(asked);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
  }

  /** As in a kubelet, which expands no hook. */
  @Test
  void theCommandOfAProbeSeesVariablesWhoseValuesAreInThePod() {
    node.live();
    node.tell("main", FOR_EVER);
    String words = "['ask', '$(PORT)/$(HOME)$(NODE)', '$$(PORT)', '$(OTHER)']";
    node.add(
        "a",
        POD.formatted(
            "Never",
            "'env': [{'name': 'PORT', 'value': '80'}, {'name': 'HOME', 'value': '$(PORT)'},"
                + " {'name': 'NODE', 'valueFrom': {'fieldRef': {'fieldPath': 'spec.nodeName'}}}],"
                + " 'readinessProbe': {'exec': {'command': "
                + words
                + "}}, 'lifecycle': {'postStart': {'exec': {'command': "
                + words
                + "}}}"));
    node.advance(1);
    assertThat(node.handled)
        .containsExactly(
            "main Exec[command=[ask, $(PORT)/$(HOME)$(NODE), $$(PORT), $(OTHER)]]",
            "main Exec[command=[ask, 80/$(PORT), $(PORT), $(OTHER)]]");
  }

  @Test
  void aProbeWhoseCommandBecomesTooLongFails() {
    node.live();
    node.tell("main", FOR_EVER);
    String half = "x".repeat(1 << 20);
    String pod =
        "'env': [{'name': 'HALF', 'value': '"
            + half
            + "'}], 'livenessProbe': {'failureThreshold': 1, 'exec': {'command': ['%s']}}";
    node.add("fits", POD.formatted("Never", pod.formatted("$(HALF)$(HALF)")));
    node.add("over", POD.formatted("Never", pod.formatted("$(HALF)$(HALF).")));
    node.advance(1);
    assertThat(node.handled).hasSize(1);
    assertThat(node.cluster.phase("fits")).isEqualTo("Running");
    assertThat(node.cluster.phase("over")).isEqualTo("Failed");
  }

  @Test
  void portsAreFoundByTheNamesThatTheContainerGivesThem() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add(
        "a",
        POD.formatted(
            "Never",
            "'ports': [{'name': 'web', 'containerPort': 8080}], 'readinessProbe': {'httpGet':"
                + " {'port': 'web', 'path': 'ok', 'scheme': 'HTTPS', 'httpHeaders':"
                + " [{'name': 'X', 'value': 'y'}]}}"));
    node.advance(1);
    assertThat(node.handled)
        .containsExactly(
            "main " + new Handler.HttpGet("", 8080, "/ok", true, java.util.Map.of("X", "y")));
  }
}
