package dev.stint.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStateTest {
  /** As recorded: conformance/conversation.json, table of pods. */
  @Test
  void showsAPendingPod() {
    assertThat(
            Given.cells(
                Kind.POD,
                "{\"spec\": {\"containers\": [{}]}, \"status\": {\"phase\": \"Pending\"}}"))
        .containsExactly("a", "0/1", "Pending", "0", "5s", "<none>", "<none>", "<none>", "<none>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "Running|{'state': {'running': {}}, 'ready': true}|Running|1/1",
        "Running|{'state': {'running': {}}}|Running|0/1",
        "Pending|{'state': {'waiting': {'reason': 'ContainerCreating'}}}|ContainerCreating|0/1",
        "Running|{'state': {'waiting': {'reason': 'CrashLoopBackOff'}}}|CrashLoopBackOff|0/1",
        "Succeeded|{'state': {'terminated': {'exitCode': 0, 'reason': 'Completed'}}}|Completed|0/1",
        "Failed|{'state': {'terminated': {'exitCode': 1, 'reason': 'Error'}}}|Error|0/1",
        "Failed|{'state': {'terminated': {'exitCode': 3}}}|ExitCode:3|0/1",
        "Failed|{'state': {'terminated': {'exitCode': 137, 'signal': 9}}}|Signal:9|0/1",
        "Failed|{}|Failed|0/1",
      })
  void letsTheContainerSpeak(String phase, String status, String reason, String ready) {
    PodState state =
        state(
            "{'spec': {'containers': [{}]}, 'status': {'phase': '%s', 'containerStatuses': [%s]}}"
                .formatted(phase, status));

    assertThat(state.reason()).isEqualTo(reason);
    assertThat(state.readyText()).isEqualTo(ready);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'state': {'running': {}}}|Init:0/2",
        "{'state': {'waiting': {'reason': 'PodInitializing'}}}|Init:0/2",
        "{'state': {'waiting': {'reason': 'CrashLoopBackOff'}}}|Init:CrashLoopBackOff",
        "{'state': {'terminated': {'exitCode': 1, 'reason': 'Error'}}}|Init:Error",
        "{'state': {'terminated': {'exitCode': 2}}}|Init:ExitCode:2",
        "{'state': {'terminated': {'exitCode': 0}}}, {'state': {'running': {}}}|Init:1/2",
        "{'name': 'side', 'started': true, 'ready': true}, {'state': {'running': {}}}|Init:1/2",
      })
  void countsInitContainers(String statuses, String reason) {
    PodState state =
        state(
            ("{'spec': {'containers': [{}], 'initContainers': [{'name': 'side', 'restartPolicy':"
                    + " 'Always'}, {}]}, 'status': {'phase': 'Pending', 'initContainerStatuses':"
                    + " [%s], 'containerStatuses': [{'state': {'waiting': {'reason':"
                    + " 'PodInitializing'}}}]}}")
                .formatted(statuses));

    assertThat(state.reason()).isEqualTo(reason);
    assertThat(state.containers()).isEqualTo(2);
  }

  @Test
  void countsSidecarsAsContainers() {
    PodState state =
        state(
            """
            {'spec': {'containers': [{}], 'initContainers': [{'name': 'side', 'restartPolicy': 'Always'}]},
             'status': {'phase': 'Running',
               'initContainerStatuses': [{'name': 'side', 'started': true, 'ready': true, 'restartCount': 2,
                 'state': {'running': {}}}],
               'containerStatuses': [{'ready': true, 'restartCount': 1, 'state': {'running': {}}}]}}
            """);

    assertThat(state.readyText()).isEqualTo("2/2");
    assertThat(state.reason()).isEqualTo("Running");
    assertThat(state.restarts()).isEqualTo(3);
  }

  @Test
  void saysWhenAContainerWasLastStartedAgain() {
    PodState state =
        state(
            """
            {'status': {'containerStatuses': [
              {'restartCount': 1, 'lastState': {'terminated': {'finishedAt': '2026-01-01T11:00:00Z'}}},
              {'restartCount': 2, 'lastState': {'terminated': {'finishedAt': '2026-01-01T11:55:00Z'}}}]}}
            """);

    assertThat(state.restartsText(Given.NOW)).isEqualTo("3 (5m ago)");
    assertThat(state("{}").restartsText(Given.NOW)).isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'metadata': {'deletionTimestamp': 'x'}, 'status': {'phase': 'Running'}}|Terminating",
        "{'metadata': {'deletionTimestamp': 'x'}, 'status': {'phase': 'Succeeded'}}|Succeeded",
        "{'metadata': {'deletionTimestamp': 'x'}, 'status': {'reason': 'NodeLost'}}|Unknown",
        "{'status': {'phase': 'Failed', 'reason': 'Evicted'}}|Evicted",
        "{'status': {'phase': 'Pending', 'conditions': [{'type': 'PodScheduled',"
            + " 'reason': 'SchedulingGated'}]}}|SchedulingGated",
      })
  void looksAtThePodItself(String pod, String reason) {
    assertThat(state(pod).reason()).isEqualTo(reason);
  }

  @Test
  void isNotCompletedWhileOneContainerRuns() {
    String pod =
        """
        {'status': {'phase': 'Running', 'conditions': [%s], 'containerStatuses': [
          {'state': {'terminated': {'exitCode': 0, 'reason': 'Completed'}}},
          {'ready': true, 'state': {'running': {}}}]}}
        """;

    assertThat(state(pod.formatted("")).reason()).isEqualTo("NotReady");
    assertThat(state(pod.formatted("{'type': 'Ready', 'status': 'True'}")).reason())
        .isEqualTo("Running");
  }

  private static PodState state(String pod) {
    return PodState.of(FieldPath.root(Json.parse(pod.replace('\'', '"'))));
  }
}
