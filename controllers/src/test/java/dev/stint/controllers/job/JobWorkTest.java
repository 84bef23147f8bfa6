package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.covers.Covers;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobWorkTest {
  private final List<JobMetrics.FinalizerEvent> told = new ArrayList<>();
  private final JobWork work = work();

  private JobWork work() {
    KubeObject job = object("{'apiVersion':'batch/v1','kind':'Job','metadata':{'uid':'j'}}");
    Ledger ledger =
        new Ledger(
            Ledger.Rules.of(
                JobView.of(job).spec(), FeatureGates.DEFAULT, EngineOptions.DEFAULT.backoff()));
    return new JobWork(
        job,
        ledger,
        new JobMetrics() {
          @Override
          public void onTerminatedPod(FinalizerEvent event) {
            told.add(event);
          }
        });
  }

  private static KubeObject object(String text) {
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }

  private static PodView pod(String phase, boolean tracked) {
    return PodView.of(
        object(
            "{'metadata':{'uid':'p','finalizers':["
                + (tracked ? "'batch.kubernetes.io/job-tracking'" : "")
                + "]},'status':{'phase':'"
                + phase
                + "'}}"));
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
}
