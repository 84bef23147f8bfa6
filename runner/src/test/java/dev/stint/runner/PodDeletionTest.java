package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods that are deleted while they run or wait. */
class PodDeletionTest extends SimulatedPods {
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
}
