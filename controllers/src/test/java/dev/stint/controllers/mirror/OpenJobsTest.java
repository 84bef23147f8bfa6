package dev.stint.controllers.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenJobsTest {
  private final OpenJobs open = new OpenJobs(Set.of("east", "west"), MirrorMetrics.NONE);

  private static KubeObject job(String uid, String worker, String spec, String status) {
    return JobBuilder.named(uid)
        .uid(uid)
        .annotation(MirrorNames.ASSIGNED, worker)
        .spec(spec)
        .status(status)
        .build();
  }

  @Test
  void aJobCountsAsManyPodsAsItMayStillRunAtOnce() {
    open.put(job("a", "east", "'parallelism':3", ""));
    open.put(job("b", "east", "'parallelism':3,'completions':9", "'succeeded':7"));
    open.put(job("c", "west", "'parallelism':3,'completions':3,'suspend':true", ""));
    assertThat(open.podsOf("east")).isEqualTo(5);
    assertThat(open.podsOf("west")).isEqualTo(3);
    assertThat(open.podsOf("north")).isZero();
  }

  @Test
  void aJobCountsForItsLastWorkerUntilItIsRemoved() {
    KubeObject job = job("a", "east", "'parallelism':3", "");
    open.put(job);
    open.put(job, "west");
    assertThat(open.podsOf("east")).isZero();
    assertThat(open.podsOf("west")).isEqualTo(3);
    open.remove("a");
    open.remove("a");
    assertThat(open.podsOf("west")).isZero();
  }

  @Test
  void aNameThatIsNoWorkersIsNotCounted() {
    open.put(job("a", "made-up", "'parallelism':3", ""));
    assertThat(open.podsOf("made-up")).isZero();
    open.remove("a");
    assertThat(open.has("a")).isFalse();
  }
}
