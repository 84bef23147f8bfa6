package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestLoop;
import dev.stint.harness.TestTime;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The runner on a simulated runtime: one thread, no real time. */
class RunnerTest {
  private final PodCluster cluster = new PodCluster();
  private final TestLoop loop = new TestLoop();
  private final TestTime time = loop.time;
  private final Map<String, SimulatedRuntime.Outcome> outcomes = new HashMap<>();
  private final List<String> played = new ArrayList<>();
  private final SimulatedRuntime runtime =
      new SimulatedRuntime(
          (pod, _) -> {
            played.add(pod.name());
            return Objects.requireNonNull(outcomes.get(pod.name()));
          },
          new Random(1),
          time,
          time);

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
  void aDeletedPodIsEndedReportedAndItsObjectConfirmedGone() {
    started(1);
    add("a", 600, 0);
    advance(1);
    cluster.requestDeletion("a", 30);
    run();
    assertThat(cluster.find("a")).isNull();
    assertThat(last("a").phase()).isEqualTo("Failed");
    JsonNode ended = last("a").status().at("/containerStatuses/0/state/terminated");
    assertThat(ended.path("exitCode").intValue()).isEqualTo(143);
    assertThat(Json.text(ended, "reason")).isEqualTo("Error");
  }

  @Test
  void aDeletedPodThatIgnoresSigtermIsKilledAfterItsGracePeriod() {
    started(1);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofHours(1), 0, Duration.ofHours(1)));
    cluster.put(PodCluster.newPod("a"));
    advance(1);
    cluster.requestDeletion("a", 30);
    advance(29);
    assertThat(cluster.phase("a")).isEqualTo("Running");
    advance(2);
    assertThat(last("a").status().at("/containerStatuses/0/state/terminated/exitCode").intValue())
        .isEqualTo(137);
    assertThat(cluster.find("a")).isNull();
  }

  @Test
  void aShorterGraceGivenLaterHolds() {
    started(1);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofHours(1), 0, Duration.ofHours(1)));
    cluster.put(PodCluster.newPod("a"));
    advance(1);
    cluster.requestDeletion("a", 300);
    advance(5);
    cluster.requestDeletion("a", 2);
    advance(3);
    assertThat(cluster.find("a")).isNull();
  }

  @Test
  void aPodWithAFinalizerIsDeletedOnceAndStaysUntilItIsRemoved() {
    started(1);
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("metadata").putArray("finalizers").add("x/y");
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofHours(1), 0));
    cluster.put(pod);
    advance(1);
    cluster.requestDeletion("a", 30);
    advance(100);
    assertThat(cluster.phase("a")).isEqualTo("Failed");
    assertThat(cluster.deletes()).hasSize(1);
  }

  @Test
  void aPodThatIsDeletedWhileItWaitsFails() {
    started(1);
    add("first", 60, 0);
    add("a", 60, 0);
    run();
    cluster.requestDeletion("a", 30);
    run();
    assertThat(played).containsExactly("first");
    assertThat(last("a").phase()).isEqualTo("Failed");
    assertThat(cluster.find("a")).isNull();
  }

  @Test
  void aPodWhoseObjectIsRemovedIsEndedWithoutAStatus() {
    started(1);
    add("a", 600, 0);
    add("b", 1, 0);
    run();
    cluster.remove("a");
    advance(10);
    assertThat(cluster.statusWrites("a")).isEmpty();
    assertThat(cluster.phase("b")).isEqualTo("Succeeded");
    assertThat(runtime.leftovers().join()).isEmpty();
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
  void aPodDeletedDuringItsBackOffEndsWithItsLastOutcome() {
    started(1);
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("spec").put("restartPolicy", "OnFailure");
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofSeconds(1), 7));
    cluster.put(pod);
    advance(3);
    cluster.requestDeletion("a", 30);
    run();
    assertThat(last("a").status().at("/containerStatuses/0/state/terminated/exitCode").intValue())
        .isEqualTo(7);
    assertThat(cluster.find("a")).isNull();
    advance(1000);
    assertThat(played).hasSize(2);
  }

  @Test
  void aStatusIsWrittenAgainWhileTheApiIsAway() {
    started(1);
    cluster.failPatches(Reason.UNAVAILABLE, Reason.TOO_MANY_REQUESTS, Reason.UNAVAILABLE);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofMillis(1), 0));
    cluster.put(PodCluster.newPod("a"));
    advance(5);
    assertThat(cluster.statusWrites("a"))
        .extracting(PodCluster.StatusWrite::phase)
        .containsExactly("Succeeded");
    assertThat(runtime.leftovers().join()).isEmpty();
  }

  @Test
  void aStatusOfAPodThatIsGoneIsDropped() {
    started(1);
    cluster.failPatches(Reason.NOT_FOUND);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofMillis(1), 0));
    cluster.put(PodCluster.newPod("a"));
    advance(100);
    assertThat(cluster.statusWrites("a")).isEmpty();
    assertThat(runtime.leftovers().join()).isEmpty();
  }

  @Test
  void aRefusedLastStatusIsWrittenAgainAfterARestart() {
    Runner first = started(1);
    cluster.failPatches(Reason.INVALID);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofMillis(1), 0));
    cluster.put(PodCluster.newPod("a"));
    advance(100);
    assertThat(cluster.statusWrites("a")).isEmpty();
    first.close();
    run();
    started(1);
    advance(100);
    assertThat(cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(played).containsExactly("a");
    assertThat(runtime.leftovers().join()).isEmpty();
  }

  @Test
  void conditionsOfOtherWritersAreKept() {
    started(1);
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("status")
        .putArray("conditions")
        .addObject()
        .put("type", "DisruptionTarget")
        .put("status", "True")
        .put("reason", "EvictionByEvictionAPI");
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofSeconds(1), 1));
    cluster.put(pod);
    advance(5);
    assertThat(conditions("a")).contains("DisruptionTarget=True EvictionByEvictionAPI");
  }

  @Test
  void anExpiredWatchIsReplacedByAListWithoutLoss() {
    started(9);
    add("a", 600, 0);
    add("b", 600, 0);
    advance(1);
    cluster.muteWatches();
    cluster.remove("a");
    add("c", 600, 0);
    cluster.expireWatches();
    advance(1);
    assertThat(played).containsExactly("a", "b", "c");
    assertThat(runtime.leftovers().join()).containsExactlyInAnyOrder("uid-b", "uid-c");
  }

  @Test
  void aPodThatAnotherClientFinishedStaysFinishedEvenIfTheWatchMissedIt() {
    started(2);
    add("runs", 60, 0);
    advance(1);
    add("begins", 600, 0);
    cluster.muteWatches();
    endElsewhere("runs");
    endElsewhere("begins");
    advance(120);
    assertThat(played).containsExactly("runs", "begins");
    for (String pod : played) {
      assertThat(Json.text(status(pod), "reason")).isEqualTo("NodeLost");
      assertThat(cluster.phase(pod)).isEqualTo("Failed");
    }
    cluster.expireWatches();
    advance(60);
    assertThat(runtime.leftovers().join()).isEmpty();
    assertThat(played).hasSize(2);
  }

  @Test
  void aPodThatEndedElsewhereRightAfterTheRunnerCameBackStaysEnded() {
    Runner first = started(1);
    add("a", 60, 0);
    advance(1);
    first.close();
    advance(30);
    started(1);
    cluster.muteWatches();
    endElsewhere("a");
    advance(120);
    assertThat(cluster.phase("a")).isEqualTo("Failed");
    assertThat(cluster.statusWrites("a"))
        .extracting(PodCluster.StatusWrite::phase)
        .containsOnly("Running");
  }

  @Test
  void aPodThatEndedElsewhereStaysEndedWhileTheRunnersLastStatusWaits() {
    started(1);
    cluster.failPatches(Collections.nCopies(12, Reason.UNAVAILABLE).toArray(Reason[]::new));
    add("a", 1, 0);
    advance(2);
    endElsewhere("a");
    advance(120);
    assertThat(cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(status("a"), "reason")).isEqualTo("NodeLost");
  }

  private void endElsewhere(String name) {
    ObjectNode pod = cluster.pod(name).copy();
    pod.withObjectProperty("status").put("phase", "Failed").put("reason", "NodeLost");
    cluster.put(pod);
  }

  @Test
  void aStatusIsWrittenEvenIfTheWatchMissedAChange() {
    started(1);
    add("a", 60, 3);
    cluster.muteWatches();
    ObjectNode pod = cluster.pod("a").copy();
    pod.withObjectProperty("metadata").putObject("labels").put("team", "blue");
    pod.withObjectProperty("status")
        .putArray("conditions")
        .addObject()
        .put("type", "example.com/Watched")
        .put("status", "True");
    cluster.put(pod);
    advance(120);
    assertThat(cluster.phase("a")).isEqualTo("Failed");
    assertThat(cluster.pod("a").labels()).containsEntry("team", "blue");
    assertThat(status("a").path("conditions").findValuesAsString("type"))
        .contains("example.com/Watched", "Ready");
  }

  @Test
  void aPodThatAnotherClientFinishedIsEndedAndKeepsItsStatus() {
    started(1);
    add("a", 600, 0);
    advance(1);
    ObjectNode pod = cluster.pod("a").copy();
    pod.withObjectProperty("status").put("phase", "Failed").put("reason", "NodeLost");
    cluster.put(pod);
    advance(1);
    assertThat(Json.text(status("a"), "reason")).isEqualTo("NodeLost");
    assertThat(cluster.statusWrites("a")).hasSize(1);
    assertThat(runtime.leftovers().join()).isEmpty();
  }

  @Test
  void aRestartTakesOverRunningContainersAndReportsEndedOnes() {
    Runner first = started(9);
    add("running", 600, 0);
    add("ended", 10, 4);
    advance(1);
    first.close();
    advance(60);
    assertThat(cluster.phase("ended")).isEqualTo("Running");
    started(9);
    run();
    assertThat(cluster.phase("ended")).isEqualTo("Failed");
    assertThat(cluster.containerStatus("ended").at("/state/terminated/finishedAt").stringValue())
        .isEqualTo("2026-01-01T00:00:10Z");
    advance(600);
    assertThat(cluster.phase("running")).isEqualTo("Succeeded");
    assertThat(played).containsExactly("running", "ended");
    assertThat(cluster.statusWrites("running"))
        .filteredOn(write -> write.phase().equals("Succeeded"))
        .hasSize(1);
  }

  @Test
  void aRestartEndsContainersWithoutAPod() {
    Runner first = started(9);
    add("a", 600, 0);
    advance(1);
    first.close();
    cluster.remove("a");
    started(9);
    run();
    assertThat(runtime.leftovers().join()).isEmpty();
  }

  @Test
  void aRestartRunsInterruptedContainersAgainInTheirPods() {
    Runner first = started(1);
    add("a", 600, 0);
    add("b", 600, 0);
    advance(1);
    int writes = cluster.statusWrites("a").size();
    CompletableFuture<?> gone = first.interrupt();
    advance(5);
    assertThat(gone).isCompleted();
    assertThat(cluster.phase("a")).isEqualTo("Running");
    assertThat(cluster.statusWrites("a")).hasSize(writes);
    started(1);
    advance(599);
    assertThat(played).containsExactly("a", "a");
    advance(10);
    assertThat(cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(cluster.containerStatus("a").path("restartCount").intValue()).isZero();
    assertThat(played).containsExactly("a", "a", "b");
  }

  @Test
  void anInterruptOfSomePodsLeavesTheOthers() {
    interruptOnePodOfTwo(runner -> runner.interrupt(pod -> pod.name().equals("a")), 5);
  }

  @Test
  void anInterruptOfSomePodsAtOnceLeavesTheOthers() {
    interruptOnePodOfTwo(runner -> runner.interruptNow(pod -> pod.name().equals("a")), 1);
  }

  /**
   * Checks that the next runner starts pod a again, and that pod b has never stopped.
   *
   * @param seconds the time that the interrupt takes at most
   */
  private void interruptOnePodOfTwo(Function<Runner, CompletableFuture<?>> interrupt, int seconds) {
    Runner first = started(2);
    add("a", 600, 0);
    add("b", 600, 0);
    advance(1);
    CompletableFuture<?> gone = interrupt.apply(first);
    advance(seconds);
    assertThat(gone).isCompleted();
    first.close();
    started(2);
    advance(599);
    assertThat(cluster.phase("b")).isEqualTo("Succeeded");
    assertThat(cluster.phase("a")).isEqualTo("Running");
    assertThat(played).containsExactly("a", "b", "a");
  }

  @Test
  void podsThatTheFilterAcceptsLaterAreTakenUp() {
    Set<String> accepted = new HashSet<>(Set.of("a"));
    Runner runner =
        new Runner(
            cluster,
            runtime,
            loop.eventLoop(),
            new RunnerOptions("here", 5, pod -> accepted.contains(pod.name())));
    runner.start();
    run();
    add("a", 10, 0);
    add("b", 10, 0);
    advance(1);
    assertThat(played).containsExactly("a");
    accepted.add("b");
    runner.reconsider();
    advance(1);
    assertThat(played).containsExactly("a", "b");
  }

  @Test
  void aSecondInterruptKillsAtOnce() {
    Runner runner = started(1);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofHours(1), 0, Duration.ofHours(1)));
    cluster.put(PodCluster.newPod("a"));
    advance(1);
    CompletableFuture<?> gone = runner.interrupt();
    advance(20);
    assertThat(gone).isNotDone();
    runner.interruptNow();
    run();
    assertThat(gone).isCompleted();
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
        .isEqualTo("This node can't run the pod: spec.volumes: not here");
    assertThat(cluster.events())
        .containsExactly(
            "a Warning NotSupported: This node can't run the pod: spec.volumes: not here x1");
  }

  private Runner started(int maxPods) {
    Runner runner = new Runner(cluster, runtime, loop.eventLoop(), options(maxPods));
    CompletableFuture<?> ready = runner.start();
    run();
    assertThat(ready).isCompleted();
    return runner;
  }

  private static RunnerOptions options(int maxPods) {
    return new RunnerOptions("here", maxPods, pod -> !pod.name().equals("filtered"));
  }

  private void add(String name, int seconds, int exitCode) {
    outcomes.put(name, new SimulatedRuntime.Outcome(Duration.ofSeconds(seconds), exitCode));
    cluster.put(PodCluster.newPod(name));
  }

  private void run() {
    loop.settle();
  }

  private void advance(int seconds) {
    run();
    for (int i = 0; i < seconds * 20; i++) {
      time.advance(Duration.ofMillis(50));
      run();
    }
  }

  private PodCluster.StatusWrite last(String name) {
    return cluster.statusWrites(name).getLast();
  }

  private ObjectNode status(String name) {
    return Objects.requireNonNull(cluster.pod(name).status());
  }

  private List<String> conditions(String name) {
    List<String> conditions = new ArrayList<>();
    for (JsonNode condition : status(name).path("conditions")) {
      String reason = Json.text(condition, "reason");
      conditions.add(
          Json.text(condition, "type")
              + "="
              + Json.text(condition, "status")
              + (reason == null ? "" : " " + reason));
    }
    return conditions;
  }
}
