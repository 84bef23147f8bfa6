package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.PodFailurePolicy.Action;
import org.junit.jupiter.api.Test;

class BackoffLimitPerIndexTest {
  private static PodView pod(int failures, int ignored) {
    String annotations =
        "'batch.kubernetes.io/job-index-failure-count':'"
            + failures
            + "','batch.kubernetes.io/job-index-ignored-failure-count':'"
            + ignored
            + "'";
    String pod =
        "{'metadata':{'uid':'u','annotations':{" + annotations + "}},'status':{'phase':'Failed'}}";
    return PodView.of(KubeObject.of(Json.parse(pod.replace('\'', '"'))));
  }

  @Test
  @Covers("BI-19")
  void theLimitIsTheNumberOfRetries() {
    assertThat(BackoffLimitPerIndex.failsIndex(0, pod(0, 0), Action.Count)).isTrue();
    assertThat(BackoffLimitPerIndex.failsIndex(1, pod(0, 0), Action.Count)).isFalse();
    assertThat(BackoffLimitPerIndex.failsIndex(1, pod(1, 0), Action.Count)).isTrue();
  }

  @Test
  @Covers("BI-15")
  void failIndexFailsItBelowTheLimit() {
    assertThat(BackoffLimitPerIndex.failsIndex(9, pod(0, 0), Action.FailIndex)).isTrue();
  }

  @Test
  @Covers({"BI-17", "BI-18"})
  void anIgnoredFailureIsCountedApart() {
    assertThat(BackoffLimitPerIndex.failsIndex(0, pod(0, 0), Action.Ignore)).isFalse();
    assertThat(BackoffLimitPerIndex.nextFailureCount(pod(2, 1), Action.Ignore)).isEqualTo(2);
    assertThat(BackoffLimitPerIndex.nextIgnoredFailureCount(pod(2, 1), Action.Ignore)).isEqualTo(2);
    assertThat(BackoffLimitPerIndex.nextFailureCount(pod(2, 1), Action.Count)).isEqualTo(3);
    assertThat(BackoffLimitPerIndex.nextIgnoredFailureCount(pod(2, 1), Action.Count)).isEqualTo(1);
  }
}
