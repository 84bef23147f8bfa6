package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.covers.Covers;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import dev.stint.reconcile.ClusterRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JobWorkTest {
  private final List<JobMetrics.FinalizerEvent> told = new ArrayList<>();
  private final JobWork work = work();

  private JobWork work() {
    KubeObject job = JobBuilder.named("j").uid("j").build();
    Ledger ledger =
        new Ledger(
            Ledger.Rules.of(
                JobView.of(job), FeatureGates.DEFAULT, EngineOptions.DEFAULT.backoff()));
    return new JobWork(
        job,
        ledger,
        new TestWorld().api,
        ClusterRequests.NOTHING,
        new JobMetrics() {
          @Override
          public void onTerminatedPod(FinalizerEvent event) {
            told.add(event);
          }
        });
  }

  @Test
  void statesOfTheSameGenerationShareTheirSpec() {
    ObjectNode tree = work.object().copy();
    tree.withObjectProperty("metadata").put("generation", 0L).put("resourceVersion", "7");
    tree.putObject("status").put("active", 1);
    work.update(KubeObject.of(tree));
    KubeObject before = work.object();
    assertThat(before.tree()).isEqualTo(tree);
    work.update(KubeObject.of(tree.deepCopy()));
    assertThat(work.object().spec()).isSameAs(before.spec());
    ObjectNode changed = tree.deepCopy();
    changed.withObjectProperty("metadata").put("generation", 1);
    changed.withObjectProperty("spec").put("parallelism", 3);
    work.update(KubeObject.of(changed));
    assertThat(work.object().tree()).isEqualTo(changed);
  }

  private static PodView pod(String phase, boolean tracked) {
    PodBuilder pod = PodBuilder.named("p").uid("p").phase(phase);
    return PodView.of((tracked ? pod.finalizers(Names.TRACKING_FINALIZER) : pod).build());
  }

  @Test
  @Covers("TR-07")
  void lateEventsOfADeletedPodAreIgnored() {
    work.put(pod("Succeeded", true));
    work.removeEarly("p");
    work.put(pod("Succeeded", true));
    assertThat(work.ledger.trackedSuccesses()).isZero();
    work.remove("p");
    assertThat(work.ledger.pod("p")).isNull();
  }

  /** The answer to a deletion may come before and after the watch reports it. */
  @Test
  void aPodThatWeDeleteStopsBeforeTheWatchSaysSo() {
    PodView running = pod("Running", false);
    work.markDeleting(running);
    assertThat(work.ledger.size()).isZero();
    work.put(running);
    work.markDeleting(running);
    assertThat(work.ledger.active()).isEmpty();
    assertThat(work.ledger.terminating()).isOne();
    work.markDeleting(running);
    assertThat(work.ledger.terminating()).isOne();
  }

  @Test
  void aJobThatIsGoneCountsAsBeingDeleted() {
    assertThat(work.view().deleting()).isFalse();
    work.markDeleted();
    assertThat(work.isDeleted()).isTrue();
    assertThat(work.view().deleting()).isTrue();
  }

  @Test
  void aFinishedPodIsMeteredOnceWithItsFinalizerAndOnceWithoutIt() {
    work.put(pod("Running", true));
    work.put(pod("Succeeded", true));
    work.put(pod("Succeeded", true));
    work.put(pod("Succeeded", false));
    work.remove("p");
    assertThat(told)
        .containsExactly(JobMetrics.FinalizerEvent.add, JobMetrics.FinalizerEvent.delete);
  }

  /** The others show back-offs to a controller that has just started, and remain to be counted. */
  @Test
  void onlyCountedPodsOfAJobThatHasEndedNeedNotBeKnown() {
    KubeObject counted = PodBuilder.named("p").phase("Failed").build();
    assertThat(work.isSettled(counted)).isFalse();
    KubeObject ended =
        JobBuilder.named("j")
            .uid("j")
            .status("'conditions':[{'type':'Complete','status':'True'}]")
            .build();
    work.updateStatus(ended, JobStatus.read(ended.status()));
    assertThat(work.isSettled(counted)).isTrue();
    assertThat(work.isSettled(PodBuilder.named("p").phase("Running").build())).isFalse();
    assertThat(
            work.isSettled(
                PodBuilder.named("p").phase("Failed").finalizers(Names.TRACKING_FINALIZER).build()))
        .isFalse();
  }

  @Test
  void aChangedAnnotationHoldsThoughTheGenerationIsTheSame() {
    ObjectNode tree = work.object().copy();
    tree.withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put(JobOptions.STARTUP_DEADLINE, "5m");
    work.update(KubeObject.of(tree));
    assertThat(work.view().options().startupDeadline()).isEqualTo(Duration.ofMinutes(5));
  }
}
