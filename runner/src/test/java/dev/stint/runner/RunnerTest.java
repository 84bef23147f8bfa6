package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.spec.Handler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods from their admission to their end. */
class RunnerTest extends SimulatedPods {
  @Test
  void aPodRunsThenSucceedsAndBothAreReportedAsAKubeletDoes() {
    started(2);
    add("a", 60, 0);
    advance(1);
    assertThat(cluster.phase("a")).isEqualTo("Running");
    ObjectNode status = status("a");
    assertThat(Json.text(status, "startTime")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(Json.text(status, "podIP")).isEqualTo("127.0.0.1");
    assertThat(conditions("a"))
        .containsExactly(
            "PodScheduled=True",
            "PodReadyToStartContainers=True",
            "Initialized=True",
            "ContainersReady=True",
            "Ready=True");
    JsonNode running = cluster.containerStatus("a");
    assertThat(running.path("ready").booleanValue()).isTrue();
    assertThat(running.path("started").booleanValue()).isTrue();
    assertThat(Json.text(running, "containerID")).isEqualTo("simulated://uid-a/main/0");
    assertThat(running.at("/state/running/startedAt").stringValue())
        .isEqualTo("2026-01-01T00:00:00Z");

    advance(60);
    assertThat(cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(conditions("a"))
        .containsExactly(
            "PodScheduled=True",
            "PodReadyToStartContainers=False",
            "Initialized=True PodCompleted",
            "ContainersReady=False PodCompleted",
            "Ready=False PodCompleted");
    JsonNode ended = cluster.containerStatus("a").at("/state/terminated");
    assertThat(ended.path("exitCode").intValue()).isZero();
    assertThat(Json.text(ended, "reason")).isEqualTo("Completed");
    assertThat(Json.text(ended, "finishedAt")).isEqualTo("2026-01-01T00:01:00Z");
    assertThat(cluster.statusWrites("a")).hasSize(2);
  }

  @Test
  void aVeryShortPodCostsOneStatusWrite() {
    started(1);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofMillis(5), 3));
    cluster.put(PodCluster.newPod("a"));
    advance(1);
    assertThat(cluster.statusWrites("a"))
        .extracting(PodCluster.StatusWrite::phase)
        .containsExactly("Failed");
    assertThat(cluster.containerStatus("a").at("/state/terminated/reason").stringValue())
        .isEqualTo("Error");
    assertThat(conditions("a")).contains("Ready=False PodFailed", "Initialized=True");
  }

  @Test
  void podsBeyondTheLimitWaitFirstInFirstOut() {
    started(2);
    List.of("e", "d", "c", "b", "a").forEach(name -> add(name, 10, 0));
    advance(1);
    assertThat(played).containsExactly("e", "d");
    assertThat(cluster.phase("c")).isEqualTo("Pending");
    advance(10);
    assertThat(played).containsExactly("e", "d", "c", "b");
    advance(10);
    assertThat(played).containsExactly("e", "d", "c", "b", "a");
  }

  @Test
  void podsOfOtherNodesAndFilteredOnesAreIgnored() {
    started(9);
    ObjectNode elsewhere = PodCluster.newPod("elsewhere");
    elsewhere.withObjectProperty("spec").put("nodeName", "there");
    cluster.put(elsewhere);
    cluster.put(PodCluster.newPod("filtered"));
    advance(100);
    assertThat(played).isEmpty();
    assertThat(cluster.phase("elsewhere")).isEqualTo("Pending");
  }

  @Test
  void severalContainersEndThePodTogether() {
    started(1);
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("spec").withArray("containers").add(PodBuilder.newContainer("other"));
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofSeconds(5), 0));
    cluster.put(pod);
    advance(1);
    assertThat(cluster.phase("a")).isEqualTo("Running");
    advance(5);
    assertThat(cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(status("a").path("containerStatuses")).hasSize(2);
  }

  @Test
  void aPodPastItsActiveDeadlineFails() {
    started(1);
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("spec").put("activeDeadlineSeconds", 20);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofHours(1), 0));
    cluster.put(pod);
    advance(19);
    assertThat(cluster.phase("a")).isEqualTo("Running");
    advance(2);
    assertThat(cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(status("a"), "reason")).isEqualTo("DeadlineExceeded");
  }

  @Test
  void failingContainersRestartAtOnceThenWithAGrowingBackOff() {
    started(1);
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("spec").put("restartPolicy", "OnFailure");
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofSeconds(1), 1));
    cluster.put(pod);
    advance(3);
    assertThat(played).hasSize(2);
    JsonNode status = cluster.containerStatus("a");
    assertThat(cluster.phase("a")).isEqualTo("Running");
    assertThat(status.at("/state/waiting/reason").stringValue()).isEqualTo("CrashLoopBackOff");
    assertThat(status.at("/state/waiting/message").stringValue())
        .isEqualTo("back-off 10s restarting failed container=main pod=a_default(uid-a)");
    assertThat(status.at("/lastState/terminated/exitCode").intValue()).isEqualTo(1);
    assertThat(status.path("restartCount").intValue()).isEqualTo(1);
    assertThat(conditions("a")).contains("Ready=False ContainersNotReady");
    advance(10);
    assertThat(played).hasSize(3);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofSeconds(1), 0));
    advance(19);
    assertThat(cluster.phase("a")).isEqualTo("Running");
    advance(3);
    assertThat(cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(cluster.containerStatus("a").path("restartCount").intValue()).isEqualTo(3);
  }

  @Test
  void anUnsupportedPodFailsAndNamesTheFields() {
    Runtime picky =
        new Runtime() {
          @Override
          public List<FieldError> unsupported(KubeObject pod) {
            return List.of(
                new FieldError("spec.volumes", FieldError.Type.NOT_SUPPORTED, "not here"));
          }

          @Override
          public CompletableFuture<java.util.Set<String>> leftovers() {
            return runtime.leftovers();
          }

          @Override
          public Attempt start(ContainerRun run, AttemptListener listener) {
            throw new AssertionError("must not be started");
          }

          @Override
          public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
            throw new AssertionError("must not be probed");
          }

          @Override
          public CompletableFuture<@Nullable Void> forget(String podUid) {
            return CompletableFuture.completedFuture(null);
          }
        };
    new Runner(cluster, picky, loop.eventLoop(), options(1)).start();
    cluster.put(PodCluster.newPod("a"));
    run();
    assertThat(cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(status("a"), "reason")).isEqualTo("NotSupported");
    assertThat(Json.text(status("a"), "message"))
        .isEqualTo("This node cannot run the pod: spec.volumes: not here");
    assertThat(cluster.events())
        .containsExactly(
            "a Warning NotSupported: This node cannot run the pod: spec.volumes: not here x1");
  }
}
