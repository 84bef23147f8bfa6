package dev.stint.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailedPodsTest {
  private static final String MAIN_FAILED =
      """
      {'metadata': {'name': 'a', 'annotations': {'batch.kubernetes.io/job-completion-index': '4'}},
       'status': {'phase': 'Failed',
         'initContainerStatuses': [{'name': 'side', 'state': {'terminated': {'exitCode': 143}}}],
         'containerStatuses': [{'name': 'main', 'state': {'terminated': {'exitCode': 3}}}]}}
      """;

  @Test
  void namesTheMainContainerAndNotItsSidecar() {
    assertThat(lines(MAIN_FAILED)).containsExactly("index 4, pod a: container main exited with 3");
  }

  @Test
  void namesAnInitContainerIfTheMainOneNeverStarted() {
    assertThat(
            lines(
                """
                {'metadata': {'name': 'a'}, 'status': {'phase': 'Failed',
                  'initContainerStatuses': [{'name': 'init', 'state': {'terminated':
                    {'exitCode': 1, 'message': 'no disk'}}}],
                  'containerStatuses': [{'name': 'main', 'state': {'waiting': {}}}]}}
                """))
        .containsExactly("pod a: container init exited with 1: no disk");
  }

  @Test
  void aPodThatFailedAsAWholeSaysWhy() {
    assertThat(
            lines(
                """
                {'metadata': {'name': 'a'}, 'status': {'phase': 'Failed',
                  'reason': 'CreateContainerConfigError', 'message': 'secret "s" not found'}}
                """
                    .replace("\"s\"", "s")))
        .containsExactly("pod a: CreateContainerConfigError: secret s not found");
  }

  @Test
  void prefersTheReasonOfThePodToThoseOfItsContainers() {
    assertThat(
            lines(
                """
                {'metadata': {'name': 'a'}, 'status': {'phase': 'Failed',
                  'reason': 'DeadlineExceeded', 'message': 'Pod was active for too long',
                  'containerStatuses': [{'name': 'main', 'state': {'terminated':
                    {'exitCode': 143, 'reason': 'Error'}}}]}}
                """))
        .containsExactly("pod a: DeadlineExceeded: Pod was active for too long");
  }

  @Test
  void namesAReasonThatTheExitCodeDoesNotShow() {
    assertThat(
            lines(
                """
                {'metadata': {'name': 'a'}, 'status': {'phase': 'Failed',
                  'containerStatuses': [{'name': 'main', 'state': {'terminated':
                    {'exitCode': 137, 'reason': 'OOMKilled'}}}]}}
                """))
        .containsExactly("pod a: container main exited with 137 (OOMKilled)");
  }

  @Test
  void namesOnlyAFew() {
    String[] pods =
        IntStream.range(0, 9)
            .mapToObj(i -> MAIN_FAILED.replace("'4'", "'" + i + "'"))
            .toArray(String[]::new);
    assertThat(lines(pods)).hasSize(5);
  }

  @Test
  void namesEachIndexOnceByItsLastFailure() {
    String ended = "'terminated': {'exitCode': 3, 'finishedAt': '2026-01-01T00:00:0%dZ'}";
    String three = "'terminated': {'exitCode': 3}";
    assertThat(
            lines(
                MAIN_FAILED.replace(three, ended.formatted(2)).replace("'a'", "'second'"),
                MAIN_FAILED.replace(three, ended.formatted(1)).replace("'a'", "'first'")))
        .containsExactly("index 4, pod second: container main exited with 3");
  }

  @Test
  void anItemStandsBehindItsIndex() {
    KubeObject pod =
        KubeObject.of(
            Json.parse(
                """
                {"metadata": {"name": "a-3", "annotations": {"batch.kubernetes.io/job-completion-index": "3"}},
                 "status": {"phase": "Failed", "message": "full"}}
                """));
    assertThat(FailedPods.last(List.of(pod), index -> Optional.of("item " + index)))
        .singleElement()
        .satisfies(failure ->
            assertThat(failure.lines()).containsExactly("index 3 (item 3), pod a-3: full"));
  }

  private static List<String> lines(String... pods) {
    return FailedPods.last(
            Stream.of(pods).map(pod -> KubeObject.of(Json.parse(pod.replace('\'', '"')))).toList())
        .stream()
        .flatMap(failure -> failure.lines().stream())
        .toList();
  }
}
