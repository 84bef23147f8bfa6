package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  private final TestWorld world = new TestWorld();
  private final KubeObject job = world.api.add(JobBuilder.named("j"));
  private Instant now = world.time.instant();

  @Test
  void aClockThatIsSetBackSilencesNobody() {
    EventRecorder recorder =
        new EventRecorder(world.api, () -> now, "kubelet", "node", 100, Duration.ofSeconds(1));
    recorder.event(job, false, "Started", "once");
    now = now.minus(Duration.ofHours(2));
    recorder.event(job, false, "Started", "twice");
    world.settle();
    assertThat(world.api.peekAll(Kind.EVENT)).hasSize(2);
  }
}
