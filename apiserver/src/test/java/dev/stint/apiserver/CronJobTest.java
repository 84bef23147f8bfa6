package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import org.junit.jupiter.api.Test;

class CronJobTest {
  private static final ObjectRef NIGHTLY = new ObjectRef(Kind.CRON_JOB, "default", "nightly");

  private final World world = new World();

  @Test
  void aCronJobIsBornWithDefaultsAndWithoutStatus() {
    KubeObject cronJob = world.create(json("30 2 * * *"));
    assertThat(cronJob.generation()).isEqualTo(1);
    assertThat(Json.text(cronJob.spec(), "concurrencyPolicy")).isEqualTo("Allow");
    assertThat(cronJob.status()).isEqualTo(Json.object());
    assertThat(world.get(NIGHTLY).tree()).isEqualTo(cronJob.tree());
  }

  @Test
  void aChangeOfTheSpecCountsAsAGenerationAndOneOfTheLabelsDoesNot() {
    world.create(json("30 2 * * *"));
    assertThat(world.patch(NIGHTLY, "{'spec': {'suspend': true}}").generation()).isEqualTo(2);
    assertThat(world.patch(NIGHTLY, "{'metadata': {'labels': {'a': 'b'}}}").generation())
        .isEqualTo(2);
  }

  @Test
  void aFaultyScheduleIsRefused() {
    KubeObject wanted = World.document(json("30 24 * * *"));
    assertThat(world.refusal(world.api.create(wanted)))
        .satisfies(refusal -> {
          assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
          assertThat(refusal.subject()).isNotNull();
          assertThat(refusal)
              .message()
              .startsWith("CronJob.batch \"nightly\" is invalid: spec.schedule: Invalid value: ");
        });
  }

  private static String json(String schedule) {
    return "{'apiVersion': 'batch/v1', 'kind': 'CronJob', 'metadata': {'name': 'nightly'},"
        + " 'spec': {'schedule': '"
        + schedule
        + "', 'jobTemplate': {'spec': {'template': {'spec': {'restartPolicy': 'Never',"
        + " 'containers': [{'name': 'main', 'image': 'busybox'}]}}}}}}";
  }
}
