package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

/** Jobs in a namespace with a quota. */
@StintTest
class QuotaTest {
  private static final String QUOTA =
      """
      apiVersion: v1
      kind: ResourceQuota
      metadata: {name: q}
      spec: {hard: {pods: 2, count/jobs.batch: 1}}
      """;

  @Test
  void aJobWithMorePodsThanAQuotaHasRoomForTakesTurns(Jobs jobs) {
    jobs.applyAll(QUOTA);
    TestJob wide = jobs.apply(JobsTest.job("wide", "  completions: 6\n  parallelism: 6\n"));
    assertThat(wide.awaitFinished()).isComplete().hasSucceeded(6);
    assertThat(jobs.list(Kind.EVENT))
        .filteredOn(event -> "FailedCreate".equals(event.tree().path("reason").asString("")))
        .isNotEmpty()
        .allSatisfy(event ->
            assertThat(event.tree().path("message").asString(""))
                .contains("exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2"));
    KubeObject quota = jobs.list(Kind.RESOURCE_QUOTA).getFirst();
    assertThat(quota.tree().at("/status/used").toString())
        .isEqualTo("{\"count/jobs.batch\":\"1\",\"pods\":\"0\"}");
  }
}
