package dev.stint.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

@StintProcessTest(crds = "crds/*.yaml", manifests = "manifests/*.yaml")
class StintProcessExtensionTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: report}
      spec:
        completionMode: Indexed
        completions: 3
        parallelism: 3
        backoffLimitPerIndex: 1
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: 'report:1'}]
      """;

  private final RemoteControlPlane ofConstructor;

  StintProcessExtensionTest(RemoteControlPlane stint) {
    ofConstructor = stint;
  }

  @Test
  void aConstructorGetsTheControlPlaneOfItsTest(RemoteControlPlane stint) {
    assertThat(ofConstructor).isSameAs(stint);
  }

  @Test
  void podsFollowRulesAndTimePassesOnRequest(RemoteControlPlane stint, KubernetesClient client) {
    stint.pods().onIndexes("1").attempt(1).exits(42);
    stint.apply(JOB);
    assertThat(job(client).getStatus().getCompletedIndexes()).isEqualTo("0,2");
    stint.advance(Duration.ofSeconds(10));
    assertThat(job(client).getStatus().getCompletedIndexes()).isEqualTo("0-2");
    assertThat(stint.instant()).isEqualTo(Instant.parse("2026-01-01T00:00:10Z"));
  }

  private static Job job(KubernetesClient client) {
    return client.batch().v1().jobs().withName("report").get();
  }

  @Test
  void definitionsAreServed(KubernetesClient client) {
    assertThat(client.apiextensions().v1().customResourceDefinitions().list().getItems())
        .hasSize(1);
  }

  @Test
  void objectsOfManifestsExist(KubernetesClient client) {
    assertThat(client.configMaps().withName("settings").get().getData())
        .containsEntry("retries", "3");
  }

  @Test
  void aManifestThatIsRefusedIsNamed(RemoteControlPlane stint) {
    assertThatThrownBy(() -> stint.applyFiles("refused/*.yaml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("refused/job.yaml")
        .hasMessageContaining("spec.completion");
  }

  @Test
  void aFaultHitsTheNextRequest(RemoteControlPlane stint, KubernetesClient client) {
    stint.apply(JOB);
    stint.faults(1).of("jobs").verbs("get").conflict();
    assertThatThrownBy(() -> job(client))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, fault -> assertThat(fault.getCode()).isEqualTo(409));
    assertThat(job(client)).isNotNull();
  }

  @Test
  void aRefusalNamesTheField(RemoteControlPlane stint) {
    assertThatThrownBy(() -> stint.apply(JOB.replace("completions: 3", "completion: 3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spec.completion");
  }

  @Test
  void controlPlanesDoNotSeeEachOthersTime(RemoteControlPlane stint) {
    try (RemoteControlPlane other = RemoteControlPlane.builder().start()) {
      other.advance(Duration.ofHours(1));
      assertThat(stint.instant()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    }
  }
}
