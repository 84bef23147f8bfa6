package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final Instant DUE = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<PodPlan> CREATE = List.of(new PodPlan(3, 0, 0));

  private static final List<PodView> PODS = pods();

  private static List<PodView> pods() {
    EngineWorld world = new EngineWorld(TestJobs.job("{}"));
    world.create(CREATE.getFirst());
    return List.copyOf(world.pods.values());
  }

  private static Plan plan(
      List<PodPlan> create,
      @Nullable JobStatus status,
      List<PodView> untrack,
      List<PodView> release,
      List<PodView> overdue,
      @Nullable Instant again) {
    return new Plan(
        create, status, untrack, release, overdue, List.of(), again, Plan.Urgency.COUNTS);
  }

  @Test
  void anythingToDoNowMakesAPlanBusy() {
    List<PodView> none = List.of();
    assertThat(plan(List.of(), null, none, none, none, DUE).isIdle()).isTrue();
    assertThat(plan(CREATE, null, none, none, none, null).isIdle()).isFalse();
    assertThat(plan(List.of(), JobStatus.EMPTY, none, none, none, null).isIdle()).isFalse();
    assertThat(plan(List.of(), null, PODS, none, none, null).isIdle()).isFalse();
    assertThat(plan(List.of(), null, none, PODS, none, null).isIdle()).isFalse();
    assertThat(plan(List.of(), null, none, none, PODS, null).isIdle()).isFalse();
  }

  /** Nothing that the status accounts for is done before it is written. */
  @Test
  void untilTheStatusIsDuePodsAreOnlyCreated() {
    Plan waiting = plan(CREATE, JobStatus.EMPTY, PODS, PODS, PODS, null).untilStatus(DUE);
    assertThat(waiting).isEqualTo(plan(CREATE, null, List.of(), List.of(), List.of(), DUE));
    for (int seconds : new int[] {-1, 1}) {
      Instant again = DUE.plusSeconds(seconds);
      Plan plan = plan(CREATE, JobStatus.EMPTY, PODS, PODS, PODS, again).untilStatus(DUE);
      assertThat(plan.again()).isEqualTo(seconds < 0 ? again : DUE);
    }
  }
}
