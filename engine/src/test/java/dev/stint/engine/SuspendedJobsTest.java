package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.job.JobCondition;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Decisions about Jobs that are suspended and resumed. */
class SuspendedJobsTest {
  @Test
  void suspensionRemovesThePodsAndResumingStartsTheClockAnew() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':2,'parallelism':2}"))
            .settle();
    world.job = job("{'completionMode':'Indexed','completions':2,'parallelism':2,'suspend':true}");
    world.settle();
    assertThat(world.pods).isEmpty();
    assertThat(world.status.failed()).isZero();
    assertThat(world.status.isTrue("Suspended")).isTrue();
    assertThat(world.status.startTime()).as("it cannot be changed later").isNull();
    world.pass(Duration.ofMinutes(1));
    world.job = job("{'completionMode':'Indexed','completions':2,'parallelism':2}");
    world.settle();
    assertThat(world.status.startTime()).isEqualTo(world.now);
    assertThat(world.status.condition("Suspended").orElseThrow().reason()).isEqualTo("JobResumed");
    assertThat(world.activeIndexes()).containsExactly(0, 1);
    assertThat(world.events).extracting(Plan.Event::reason).containsExactly("Suspended", "Resumed");
  }

  @Test
  void aJobCreatedSuspendedHasNoStartTimeAndOneCreatedRunningHasNoSuspendedCondition() {
    EngineWorld suspended = new EngineWorld(job("{'suspend':true}")).settle();
    assertThat(suspended.status.startTime()).isNull();
    assertThat(suspended.status.isTrue("Suspended")).isTrue();
    assertThat(new EngineWorld(job("{}")).settle().status.conditions()).isEmpty();
  }

  @Test
  void theSuspendedConditionOfANewJobMayBeDeferred() {
    EngineWorld created = new EngineWorld(job("{'suspend':true}"));
    assertThat(created.plan().status()).isNotNull();
    assertThat(created.plan().urgency()).isEqualTo(Plan.Urgency.LATER);
    created.settle();
    created.job = job("{}");
    assertThat(created.plan().urgency()).isEqualTo(Plan.Urgency.NOW);
    EngineWorld running = new EngineWorld(job("{}")).settle();
    running.job = job("{'suspend':true}");
    assertThat(running.plan().urgency()).isEqualTo(Plan.Urgency.NOW);
  }

  @Test
  void aSuspendedJobWithoutWorkIsCompleteWithoutHavingStarted() {
    EngineWorld world = new EngineWorld(job("{'completions':0,'suspend':true}")).settle();
    world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.status.condition(JobCondition.SUSPENDED)).isEmpty();
    assertThat(world.status.startTime()).isNull();
    assertThat(world.status.completionTime()).isEqualTo(world.now);
    assertThat(world.events).extracting(Plan.Event::reason).containsExactly("Completed");
  }

  @Test
  void aFinishedJobReportsNoSuspensionOrResumption() {
    EngineWorld suspended = new EngineWorld(job("{'completions':1}")).settle();
    Instant started = suspended.now;
    suspended.pass(Duration.ofMinutes(1));
    suspended.finish("pod-0", PodPhase.Succeeded);
    suspended.job = job("{'completions':1,'suspend':true}");
    suspended.settle();
    suspended.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(suspended.status.condition(JobCondition.SUSPENDED)).isEmpty();
    assertThat(suspended.status.startTime()).isEqualTo(started);
    assertThat(suspended.events).extracting(Plan.Event::reason).containsExactly("Completed");
    EngineWorld resumed = suspendedAsItsPodSucceeds();
    resumed.job = job("{'completions':1}");
    resumed.settle();
    assertThat(resumed.status.isTrue(JobCondition.COMPLETE)).isTrue();
    assertThat(resumed.status.isTrue(JobCondition.SUSPENDED)).isTrue();
    assertThat(resumed.events)
        .extracting(Plan.Event::reason)
        .containsExactly("Suspended", "Completed");
  }

  @Test
  void aSuspendedJobThatSucceedsHasAStartTime() {
    EngineWorld world = suspendedAsItsPodSucceeds();
    assertThat(world.status.startTime()).isNull();
    world.settle();
    assertThat(world.status.isTrue(JobCondition.COMPLETE)).isTrue();
    assertThat(world.status.startTime()).isNotNull();
  }

  /** A Job with the condition Suspended whose pod succeeded before it was released. */
  private static EngineWorld suspendedAsItsPodSucceeds() {
    EngineWorld world = new EngineWorld(job("{'completions':1}")).settle();
    world.job = job("{'completions':1,'suspend':true}");
    world.syncAndDieAfter(1);
    world.finish("pod-0", PodPhase.Succeeded);
    return world;
  }

  @Test
  void soDoesAWorkQueue() {
    EngineWorld world = new EngineWorld(job("{'parallelism':1}")).settle();
    world.job = job("{'parallelism':1,'suspend':true}");
    world.syncAndDieAfter(1);
    world.finish("pod-0", PodPhase.Succeeded);
    world.settle();
    assertThat(world.status.isTrue(JobCondition.COMPLETE)).isTrue();
    assertThat(world.status.startTime()).isNotNull();
  }
}
