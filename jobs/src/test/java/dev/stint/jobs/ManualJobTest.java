package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ManualJobTest {
  private static final KubeObject NIGHTLY =
      KubeObject.of(
          Json.parse(
              """
              {"apiVersion":"batch/v1","kind":"CronJob",
               "metadata":{"name":"nightly","namespace":"team","uid":"u"},
               "spec":{"suspend":true,"jobTemplate":{
                 "metadata":{"name":"no","labels":{"app":"x"},"annotations":{"note":"y"}},
                 "spec":{"completions":2}}}}
              """));

  @Test
  void itIsWhatTheTemplateSaysAndBelongsToItsCronJob() {
    KubeObject job = KubeObject.of(ManualJob.of(NIGHTLY, "now"));
    assertThat(job.name()).isEqualTo("now");
    assertThat(job.namespace()).isEqualTo("team");
    assertThat(job.labels()).containsOnly(java.util.Map.entry("app", "x"));
    assertThat(job.annotations())
        .containsEntry("note", "y")
        .containsEntry("cronjob.kubernetes.io/instantiate", "manual")
        .hasSize(2);
    assertThat(job.controllerUid()).isEqualTo("u");
    assertThat(job.tree().at("/metadata/ownerReferences/0/kind").asString()).isEqualTo("CronJob");
    assertThat(job.spec()).hasToString("{\"completions\":2}");
  }

  @Test
  void theFirstFreeNumberIsItsName() {
    assertThat(ManualJob.name(NIGHTLY, _ -> false)).isEqualTo("nightly-manual-1");
    assertThat(ManualJob.name(NIGHTLY, Set.of("nightly-manual-1")::contains))
        .isEqualTo("nightly-manual-2");
  }
}
