package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.spec.ResourceAmount;
import org.junit.jupiter.api.Test;

class EventsTest {
  private static final String EXEC = "'exec': {'command': ['check']}";
  private static final String POD = "{'restartPolicy': '%s', 'containers': [{'name': 'main', %s}]}";

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void aSuccessfulPodHasNoEvents() {
    node.live();
    node.tell("main", outcome(1, 0));
    node.add("a", "{'containers': [{'name': 'main'}]}");
    node.advance(5);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.cluster.events()).isEmpty();
  }

  @Test
  void aFailingProbeHasACountedEventAndTheKilledContainerOneToo() {
    node.live();
    node.tell("main", FOR_EVER);
    node.answerWith(false);
    node.add("a", POD.formatted("Never", "'livenessProbe': {" + EXEC + ", 'periodSeconds': 1}"));
    node.advance(5);
    assertThat(node.cluster.events())
        .containsExactly(
            "a Warning Unhealthy: Liveness probe failed: as told x3",
            "a Normal Killing: Container main failed liveness probe x1");
  }

  @Test
  void eventsOfAProbeThatAlwaysFailsBecomeRarer() {
    node.live();
    node.tell("main", FOR_EVER);
    node.answerWith(false);
    node.add("a", POD.formatted("Never", "'readinessProbe': {" + EXEC + ", 'periodSeconds': 1}"));
    node.advance(600);
    assertThat(node.cluster.events())
        .containsExactly("a Warning Unhealthy: Readiness probe failed: as told x26");
  }

  @Test
  void allPodsTogetherHaveABoundedNumberOfEvents() {
    node.live();
    node.tell("main", outcome(0, 1), FOR_EVER);
    for (int i = 0; i < 200; i++) {
      node.tell("main", outcome(0, 1));
      node.add("p" + i, "{'restartPolicy': 'OnFailure', 'containers': [{'name': 'main'}]}");
      node.run();
      node.cluster.requestDeletion("p" + i, 1);
      node.run();
    }
    assertThat(node.cluster.events()).hasSizeBetween(1, 100);
  }

  @Test
  void aContainerThatKeepsCrashingHasABackOffEvent() {
    node.live();
    node.tell("main", outcome(1, 1));
    node.add("a", POD.formatted("OnFailure", "'image': 'x'"));
    node.advance(20);
    assertThat(node.cluster.events())
        .containsExactly(
            "a Warning BackOff: Back-off restarting failed container main in pod"
                + " a_default(uid-a) x2");
  }

  @Test
  void aPodThatIsDeletedHasItsContainersStopped() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", "{'containers': [{'name': 'main'}]}");
    node.advance(1);
    node.cluster.requestDeletion("a", 5);
    node.advance(1);
    assertThat(node.cluster.events())
        .containsExactly("a Normal Killing: Stopping container main x1");
  }

  @Test
  void aMissingInputHasOneEvent() {
    node.live();
    node.add("a", POD.formatted("Never", "'envFrom': [{'configMapRef': {'name': 'c'}}]"));
    node.add(
        "b",
        """
        {'volumes': [{'name': 'v', 'secret': {'secretName': 's'}}],
         'containers': [{'name': 'main'}]}
        """);
    node.advance(60);
    assertThat(node.cluster.events())
        .containsExactly(
            "a Warning Failed: Error: configmap \"c\" not found x1",
            "b Warning FailedMount: MountVolume.SetUp failed for volume \"v\" : secret \"s\" not"
                + " found x1");
  }

  @Test
  void aPodThatNeverFitsHasAnEvent() {
    node.live(new ResourceAmount(2000, 0));
    node.add("a", POD.formatted("Never", "'resources': {'requests': {'cpu': '4'}}"));
    node.advance(1);
    assertThat(node.cluster.events())
        .containsExactly(
            "a Warning FailedScheduling: 0/1 nodes are available: insufficient cpu: the pod"
                + " requests 4, this machine has 2. x1");
  }

  @Test
  void failedHooksHaveEvents() {
    node.live();
    node.tell("main", FOR_EVER);
    node.answerWith(false);
    node.add("a", POD.formatted("Never", "'lifecycle': {'postStart': {" + EXEC + "}}"));
    node.advance(1);
    assertThat(node.cluster.events())
        .containsExactly("a Warning FailedPostStartHook: PostStartHook failed: as told x1");
  }

  @Test
  void aNewPodHasOneScheduledEventIfTheOptionIsSet() {
    node.live(options -> options.withEventsOfBinding());
    node.tell("main", SimulatedNode.FOR_EVER);
    node.add("a", "{'containers': [{'name': 'main'}]}");
    node.cluster.update("a", "{'activeDeadlineSeconds': 1000}");
    node.advance(1);
    assertThat(node.cluster.events())
        .containsExactly("a Normal Scheduled: Successfully assigned default/a to here x1");
  }

  @Test
  void existingPodsHaveNoScheduledEvent() {
    node.tell("main", SimulatedNode.FOR_EVER);
    node.add("a", "{'containers': [{'name': 'main'}]}");
    node.live(options -> options.withEventsOfBinding());
    node.advance(1);
    assertThat(node.cluster.events()).isEmpty();
  }

  @Test
  void scheduledEventsOfManyPodsAreLimited() {
    node.live(options -> options.withEventsOfBinding());
    node.tell("main", SimulatedNode.FOR_EVER);
    for (int i = 0; i < 1000; i++) {
      node.add("p" + i, "{'containers': [{'name': 'main'}]}");
    }
    assertThat(node.cluster.events()).hasSizeBetween(200, 210);
  }
}
