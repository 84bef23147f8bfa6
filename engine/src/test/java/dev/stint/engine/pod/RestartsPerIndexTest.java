package dev.stint.engine.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.options.JobOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartsPerIndexTest {
  private static final JobOptions COUNTED =
      JobOptions.of(
          KubeObject.of(
              Json.parse(
                  """
                  {"metadata":{"annotations":{"stint.dev/restarts-per-index":"true"}},
                   "spec":{"completionMode":"Indexed","completions":1,"backoffLimitPerIndex":2,
                     "template":{"spec":{"restartPolicy":"OnFailure"}}}}
                  """)));

  private static PodView pod(String phase, int failures, int restarts) {
    String json =
        """
        {'metadata':{'uid':'u','annotations':
           {'batch.kubernetes.io/job-index-failure-count':'%d'}},
         'status':{'phase':'%s','containerStatuses':[{'name':'main','restartCount':%d}]}}\
        """
            .formatted(failures, phase, restarts);
    return PodView.of(KubeObject.of(Json.parse(json.replace('\'', '"'))));
  }

  @Test
  @Covers("EX-29")
  void restartsAreFailuresOfTheIndex() {
    assertThat(RestartsPerIndex.judge(pod("Running", 1, 3), COUNTED).failureCount()).isEqualTo(4);
    PodView plain = pod("Running", 1, 0);
    assertThat(RestartsPerIndex.judge(plain, COUNTED)).isSameAs(plain);
    PodView restarted = pod("Running", 1, 3);
    assertThat(RestartsPerIndex.judge(restarted, JobOptions.NONE)).isSameAs(restarted);
  }

  @ParameterizedTest
  @CsvSource({
    "Running, 0, 2, false",
    "Running, 0, 3, true",
    "Running, 1, 2, true",
    "Pending, 0, 3, true",
    "Failed, 0, 3, false",
    "Succeeded, 0, 3, false"
  })
  @Covers("EX-29")
  void moreThanTheLimitEndsAPodThatRuns(String phase, int failures, int restarts, boolean ended) {
    PodView pod = RestartsPerIndex.judge(pod(phase, failures, restarts), COUNTED);
    assertThat(RestartsPerIndex.isExceeded(2, pod, COUNTED)).isEqualTo(ended);
    assertThat(RestartsPerIndex.isExceeded(null, pod, COUNTED)).isFalse();
    assertThat(RestartsPerIndex.isExceeded(2, pod, JobOptions.NONE)).isFalse();
  }
}
