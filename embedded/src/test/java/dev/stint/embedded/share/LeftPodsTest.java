package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.process.user.Surroundings;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeftPodsTest {
  private static final String RUNS = "{'startTime':'2026-01-01T00:00:00Z','phase':'Running'}";
  private static final String ENDED = "{'startTime':'2026-01-01T00:00:00Z','phase':'Failed'}";

  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private final KubeObject job = JobBuilder.named("a").build();

  private void pod(KubeObject of, String name) {
    cluster.add(PodBuilder.of(of, name));
  }

  private void status(String name, String status) {
    cluster
        .patchStatus(
            PodBuilder.of(job, name).build().ref(),
            Json.parse("{'status':STATUS}".replace("STATUS", status).replace('\'', '"')))
        .join();
  }

  private CompletableFuture<?> awaitEnd() {
    JobClaim claim =
        new JobClaim("default", "a", "stint run", false, Surroundings.ofThisProcess(Map.of()));
    return LeftPods.awaitEnd(cluster, List.of(claim), (_, _) -> () -> {}, new SplittableRandom(1));
  }

  @Test
  void podsThatRunAreWaitedFor() {
    pod(job, "a-0");
    pod(job, "a-1");
    status("a-0", RUNS);
    status("a-1", RUNS);
    CompletableFuture<?> end = awaitEnd();
    status("a-0", ENDED);
    assertThat(end).isNotDone();
    cluster.erase(PodBuilder.of(job, "a-1").build().ref());
    assertThat(end).isCompleted();
  }

  @Test
  void podsThatWaitOrHaveEndedOrAreOfOtherJobsAreNot() {
    pod(job, "a-0");
    pod(job, "a-1");
    status("a-1", ENDED);
    pod(JobBuilder.named("b").build(), "b-0");
    status("b-0", RUNS);
    assertThat(awaitEnd()).isCompleted();
  }
}
