package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.spec.ResourceAmount;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Runners that end, are interrupted, and start again. */
class RunnerRestartTest extends SimulatedPods {
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

  /** Interrupts pods a and b, and starts a life with room for one of them. */
  private Runner interruptTwoAndGoOnWithOne() {
    Runner first = started(2);
    add("a", 600, 0);
    add("b", 600, 0);
    advance(1);
    first.interrupt();
    advance(5);
    first.close();
    Runner next = started(1);
    advance(1);
    assertThat(played).containsExactly("a", "b", "a");
    return next;
  }

  @Test
  void interruptedPodsWaitForRoom() {
    interruptTwoAndGoOnWithOne();
    advance(600);
    assertThat(played).containsExactly("a", "b", "a", "b");
    assertThat(cluster.phase("a")).isEqualTo("Succeeded");
    advance(600);
    assertThat(cluster.phase("b")).isEqualTo("Succeeded");
    assertThat(cluster.containerStatus("b").path("restartCount").intValue()).isZero();
  }

  @Test
  void anInterruptedPodThatIsDeletedWhileItWaitsEnds() {
    interruptTwoAndGoOnWithOne();
    cluster.requestDeletion("b", 5);
    advance(1);
    assertThat(cluster.find("b")).isNull();
    assertThat(last("b").phase()).isEqualTo("Failed");
    assertThat(last("b").status().at("/containerStatuses/0/state/terminated/reason").asString(""))
        .isEqualTo("ContainerStatusUnknown");
    assertThat(runtime.leftovers().join()).containsExactly("uid-a");
    advance(600);
    assertThat(played).containsExactly("a", "b", "a");
  }

  @Test
  void anInterruptedPodWhoseObjectIsGoneWhileItWaitsIsForgotten() {
    interruptTwoAndGoOnWithOne();
    cluster.remove("b");
    advance(1);
    assertThat(runtime.leftovers().join()).containsExactly("uid-a");
  }

  @Test
  void anInterruptedPodThatWaitsCanBeInterruptedAgain() {
    int writes = cluster.statusWrites("b").size();
    CompletableFuture<?> gone = interruptTwoAndGoOnWithOne().interrupt();
    advance(5);
    assertThat(gone).isCompleted();
    started(2);
    advance(601);
    assertThat(played).containsExactly("a", "b", "a", "b", "a");
    assertThat(cluster.phase("b")).isEqualTo("Succeeded");
    assertThat(cluster.statusWrites("b").subList(writes, cluster.statusWrites("b").size()))
        .extracting(PodCluster.StatusWrite::phase)
        .doesNotContain("Pending", "Failed");
  }

  @Test
  void theDeadlineOfAnInterruptedPodCountsWhileItWaits() {
    interruptTwoAndGoOnWithOne();
    cluster.update("b", "{'activeDeadlineSeconds': 60}");
    advance(50);
    assertThat(cluster.phase("b")).isEqualTo("Running");
    advance(10);
    assertThat(cluster.phase("b")).isEqualTo("Failed");
    assertThat(status("b").path("reason").asString("")).isEqualTo("DeadlineExceeded");
    assertThat(played).containsExactly("a", "b", "a");
  }

  @Test
  void anEndThatIsOnlyToBeReportedWaitsForNoRoom() {
    Runner first = started(2);
    add("a", 600, 0);
    add("b", 10, 0);
    advance(1);
    first.close();
    advance(30);
    started(1);
    advance(1);
    assertThat(cluster.phase("b")).isEqualTo("Succeeded");
    assertThat(cluster.phase("a")).isEqualTo("Running");
  }

  @Test
  void anInterruptedPodThatIsTooLargeByNowSaysSo() {
    Runner first = started(1);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofHours(1), 0));
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("spec")
        .withArrayProperty("containers")
        .path(0)
        .withObjectProperty("resources")
        .withObjectProperty("requests")
        .put("memory", "1Mi");
    cluster.put(pod);
    advance(1);
    first.interrupt();
    advance(5);
    first.close();
    RunnerOptions small = options(1).withMachine(new ResourceAmount(1000, 0));
    new Runner(cluster, runtime, loop.eventLoop(), small).start();
    advance(1);
    assertThat(cluster.phase("a")).isEqualTo("Running");
    assertThat(conditions("a")).contains("PodScheduled=False Unschedulable");
    assertThat(played).containsExactly("a");
  }

  @Test
  void restartsThatWereToldStayToldIfTheContainerIsLost() {
    Runner first = started(1);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofSeconds(2), 8));
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("spec").put("restartPolicy", "OnFailure");
    pod.withObjectProperty("metadata").putArray("finalizers").add("x/y");
    cluster.put(pod);
    advance(1);
    outcomes.put("a", new SimulatedRuntime.Outcome(Duration.ofHours(1), 0));
    advance(10);
    first.interruptNow();
    run();
    cluster.requestDeletion("a", 30);
    started(1);
    run();
    assertThat(cluster.phase("a")).isEqualTo("Failed");
    JsonNode status = cluster.containerStatus("a");
    assertThat(status.at("/state/terminated/reason").stringValue())
        .isEqualTo("ContainerStatusUnknown");
    assertThat(status.path("restartCount").intValue()).isEqualTo(1);
    assertThat(status.at("/lastState/terminated/exitCode").intValue()).isEqualTo(8);
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
}
