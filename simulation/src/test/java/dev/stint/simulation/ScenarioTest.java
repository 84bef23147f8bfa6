package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Named scenarios of unlucky timing. */
class ScenarioTest {
  private final LoggedErrors faults = new LoggedErrors();
  private final EventTrace[] trace = new EventTrace[1];
  private final Laws[] laws = new Laws[1];
  private Predicate<History> deadly = history -> false;
  private SimulatedSystem system = system((pod, random) -> work(0));

  private SimulatedSystem system(SimulatedRuntime.Script script) {
    SimulatedSystem fresh =
        new SimulatedSystem(
            1,
            SimulatedSystem.Options.DEFAULT,
            script,
            event -> {
              laws[0].accept(event);
              if (deadly.test(laws[0].history)) {
                deadly = history -> false;
                system.kill();
              }
            });
    trace[0] = new EventTrace(fresh.time());
    laws[0] = new Laws(JobControllerOptions.DEFAULT, fresh.time(), trace[0]);
    fresh.start();
    return fresh;
  }

  private static SimulatedRuntime.Outcome work(int exitCode) {
    return new SimulatedRuntime.Outcome(Duration.ofSeconds(10), exitCode);
  }

  private void create(String spec) {
    system.cluster().create(JobBuilder.named("j").spec(spec).command("w").build());
    runWhile(history -> history.jobs.isEmpty());
  }

  private void runWhile(Predicate<History> condition) {
    boolean moves = true;
    while (moves && condition.test(laws[0].history)) {
      moves = system.step();
      laws[0].hold();
      faults.hold();
    }
  }

  @AfterEach
  void stopListening() {
    faults.close();
  }

  private History.Job runToTheEnd() {
    runWhile(history -> true);
    if (!system.up()) {
      system.start();
      runWhile(history -> true);
    }
    laws[0].checkEnd(false);
    return laws[0].history.jobs.values().iterator().next();
  }

  private static boolean lists(History history) {
    return history.jobs.values().stream()
        .map(job -> job.status.uncounted())
        .anyMatch(lists -> lists != null && !lists.isEmpty());
  }

  private static boolean tracked(History history) {
    return history.pods.values().stream().map(PodView::of).anyMatch(PodView::tracked);
  }

  @Test
  @Covers({"TR-11", "TR-12"})
  void theProcessDiesBetweenTheStatusThatListsPodsAndTheRemovalOfTheirFinalizers() {
    create("'completions':3,'parallelism':3");
    deadly = ScenarioTest::lists;
    runWhile(history -> true);
    assertThat(system.up()).isFalse();
    assertThat(tracked(laws[0].history)).isTrue();
    assertThat(runToTheEnd().status.succeeded()).isEqualTo(3);
  }

  @Test
  @Covers({"TR-11", "TR-12"})
  void theProcessDiesBetweenTheRemovalOfFinalizersAndTheStatusThatCounts() {
    create("'completions':3,'parallelism':3");
    deadly = history -> lists(history) && !tracked(history);
    runWhile(history -> true);
    assertThat(system.up()).isFalse();
    assertThat(laws[0].history.jobs.values().iterator().next().status.succeeded()).isLessThan(3);
    assertThat(runToTheEnd().status.succeeded()).isEqualTo(3);
  }

  @Test
  void theProcessDiesOnceItHasCreatedPodsAndCreatesNoneTwice() {
    create("'completionMode':'Indexed','completions':5,'parallelism':5");
    deadly = history -> history.pods.size() == 3;
    runWhile(history -> true);
    assertThat(system.up()).isFalse();
    assertThat(runToTheEnd().status.completedIndexes()).hasToString("0-4");
    assertThat(laws[0].history.pods).hasSize(5);
  }

  @Test
  @Covers({"SP-19", "MB-14"})
  void theProcessDiesBetweenSuccessCriteriaMetAndComplete() {
    create(
        "'completionMode':'Indexed','completions':3,'parallelism':1,'successPolicy':{'rules':[{'succeededCount':1}]}");
    deadly =
        history ->
            history.jobs.values().stream().anyMatch(j -> j.status.isTrue("SuccessCriteriaMet"));
    runWhile(history -> true);
    assertThat(system.up()).isFalse();
    JobStatus status = runToTheEnd().status;
    assertThat(status.isTrue("Complete")).isTrue();
    assertThat(status.completedIndexes()).hasToString("0");
  }

  @Test
  void containersThatEndWhileNoProcessRunsAreFound() {
    create("'completions':2,'parallelism':2");
    runWhile(history -> history.pods.values().stream().noneMatch(ScenarioTest::running));
    system.kill();
    runWhile(history -> true);
    assertThat(laws[0].history.pods.values()).anyMatch(ScenarioTest::running);
    assertThat(runToTheEnd().status.succeeded()).isEqualTo(2);
    assertThat(laws[0].history.pods).hasSize(2);
  }

  @Test
  void aJobDeletedWithoutAControllerLeavesNoFinalizers() {
    create("'completions':2,'parallelism':2");
    runWhile(history -> history.pods.size() < 2);
    ObjectRef job = new ObjectRef(Kind.JOB, "default", "j");
    deadly = history -> history.jobs.values().stream().allMatch(known -> known.gone);
    laws[0].history.deletedByOthers.addAll(laws[0].history.jobs.keySet());
    system
        .cluster()
        .delete(job, new DeleteOptions(null, null, DeleteOptions.Propagation.BACKGROUND));
    runWhile(history -> true);
    assertThat(system.up()).isFalse();
    assertThat(tracked(laws[0].history)).isTrue();
    runToTheEnd();
    assertThat(tracked(laws[0].history)).isFalse();
  }

  private static boolean running(KubeObject pod) {
    return PodView.of(pod).phase() == PodPhase.Running;
  }
}
