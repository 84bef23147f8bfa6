package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaintEvictionTest {
  private static final String POD = "{'tolerations': [%s], 'containers': [{'name': 'main'}]}";
  private static final String TAINTED =
      "{'taints': [{'key': 'broken', 'effect': 'NoExecute'},"
          + " {'key': 'gpu', 'effect': 'NoSchedule'}]}";
  private static final String FOR_TEN_SECONDS =
      "{'key': 'broken', 'operator': 'Exists', 'tolerationSeconds': 10}";

  private final SimulatedNode node = new SimulatedNode();

  private void runs(String name, String toleration) {
    node.tell("main", FOR_EVER);
    node.add(name, POD.formatted(toleration));
    node.advance(1);
    assertThat(node.cluster.phase(name)).isEqualTo("Running");
  }

  @Test
  void aPodThatDoesNotTolerateTheTaintIsMarkedAndDeletedWithItsGracePeriod() {
    node.live();
    runs("a", "");
    node.cluster.setNode(TAINTED);
    node.advance(2);
    assertThat(node.cluster.deletes()).contains(PodCluster.ref("a"));
    assertThat(node.cluster.statusWrites("a"))
        .last()
        .satisfies(last -> {
          assertThat(last.phase()).isEqualTo("Failed");
          assertThat(last.status().path("conditions").toString())
              .contains("DisruptionTarget", "DeletionByTaintManager");
        });
    assertThat(node.cluster.find("a")).isNull();
    assertThat(node.cluster.events())
        .contains("a Normal TaintManagerEviction: Marking for deletion Pod default/a x1");
  }

  @Test
  void aPodStaysForAsLongAsItToleratesTheTaint() {
    node.live();
    runs("a", FOR_TEN_SECONDS);
    node.cluster.setNode(TAINTED);
    node.advance(9);
    assertThat(node.cluster.deletes()).isEmpty();
    assertThat(node.condition("a", "DisruptionTarget")).isEmpty();
    node.advance(2);
    assertThat(node.cluster.deletes()).contains(PodCluster.ref("a"));
  }

  @Test
  void aTaintThatIsRemovedInTimeEvictsNothing() {
    node.live();
    runs("a", FOR_TEN_SECONDS);
    node.cluster.setNode(TAINTED);
    node.advance(9);
    node.cluster.setNode("{}");
    node.advance(20);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.cluster.events())
        .contains("a Normal TaintManagerEviction: Cancelling deletion of Pod default/a x1");
  }

  @Test
  void aPodThatToleratesTheTaintForeverStays() {
    node.live();
    runs("a", "{'key': 'broken', 'operator': 'Exists', 'effect': 'NoExecute'}");
    node.cluster.setNode(TAINTED);
    node.advance(30);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.cluster.deletes()).isEmpty();
  }

  @Test
  void theShortestTolerationCounts() {
    node.live();
    runs("a", FOR_TEN_SECONDS + ", {'key': 'slow', 'operator': 'Exists', 'tolerationSeconds': 3}");
    node.cluster.setNode(
        "{'taints': [{'key': 'broken', 'effect': 'NoExecute'},"
            + " {'key': 'slow', 'effect': 'NoExecute'}]}");
    node.advance(2);
    assertThat(node.cluster.deletes()).isEmpty();
    node.advance(2);
    assertThat(node.cluster.deletes()).contains(PodCluster.ref("a"));
  }

  @Test
  void aPodThatToleratesTheTaintForATimeIsEvictedAfterwards() {
    node.cluster.setNode(TAINTED);
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", POD.formatted(FOR_TEN_SECONDS + ", {'key': 'gpu', 'operator': 'Exists'}"));
    node.advance(8);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    node.advance(5);
    assertThat(node.cluster.deletes()).contains(PodCluster.ref("a"));
  }

  @Test
  void aPodThatNeverStartedWaitsInsteadOfBeingEvicted() {
    node.cluster.setNode(TAINTED);
    node.live();
    node.add("a", POD.formatted(""));
    node.advance(30);
    assertThat(node.cluster.deletes()).isEmpty();
    assertThat(node.condition("a", "PodScheduled")).startsWith("False Unschedulable");
  }

  @Test
  void theDisruptionIsReportedBeforeThePodHasEnded() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", POD.formatted(""));
    node.advance(1);
    node.cluster.setNode(TAINTED);
    node.advance(2);
    assertThat(node.cluster.statusWrites("a"))
        .anySatisfy(write -> {
          assertThat(write.phase()).isEqualTo("Running");
          assertThat(write.status().path("conditions").toString()).contains("DisruptionTarget");
        });
  }
}
