package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Statuses of pods, if the API is away, refuses them, or has others. */
class StatusWritesTest extends SimulatedPods {
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
}
