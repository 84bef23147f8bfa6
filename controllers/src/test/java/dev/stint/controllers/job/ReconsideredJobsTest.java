package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs that the controller leaves, and takes up when another command asks for them. */
class ReconsideredJobsTest {
  private final TestWorld world = new TestWorld();
  private final Set<String> wanted = new HashSet<>();
  private final JobController controller = controller();

  private JobController controller() {
    JobControllerOptions plain = JobControllerOptions.DEFAULT;
    return new JobController(
        world.api,
        world.eventLoop,
        Metrics.NONE,
        new JobControllerOptions(
            plain.claim(),
            job -> wanted.contains(job.name()),
            plain.gates(),
            plain.engine(),
            plain.syncBatchPeriod(),
            plain.concurrentSyncs()));
  }

  private KubeObject add(String name) {
    return world.addRunning(JobBuilder.indexed(name).completions(2).parallelism(2), 2);
  }

  private void reconsider() {
    controller.reconsider();
    world.pass(Duration.ofSeconds(2));
  }

  private JobStatus status(String name) {
    return JobStatus.read(world.see(TestWorld.job(name)).status());
  }

  @Test
  void aJobThatIsTakenUpKeepsItsPods() {
    add("a");
    controller.start();
    world.pass(Duration.ofSeconds(2));
    assertThat(status("a").active()).isZero();
    wanted.add("a");
    reconsider();
    assertThat(status("a").active()).isEqualTo(2);
    assertThat(world.api.peekAll(Kind.POD)).hasSize(2);
  }

  @Test
  void itsChangeBeforeTheListMakesNoPodEither() {
    add("a");
    controller.start();
    world.pass(Duration.ofSeconds(2));
    wanted.add("a");
    world.api.change(TestWorld.job("a"), "{'metadata':{'labels':{'k':'v'}}}");
    world.pass(Duration.ofSeconds(2));
    assertThat(status("a").active()).isEqualTo(2);
    assertThat(world.api.peekAll(Kind.POD)).hasSize(2);
  }

  @Test
  void aJobThatIsLeftGetsNoMorePods() {
    wanted.add("a");
    add("a");
    controller.start();
    world.pass(Duration.ofSeconds(2));
    assertThat(status("a").active()).isEqualTo(2);
    wanted.clear();
    reconsider();
    world.api.remove(TestWorld.pod("a-0"), dev.stint.cluster.DeleteOptions.now(pod("a-0").uid()));
    world.pass(Duration.ofSeconds(30));
    assertThat(world.api.peekAll(Kind.POD).stream().filter(pod -> pod.deletionTimestamp() == null))
        .hasSize(1);
  }

  private KubeObject pod(String name) {
    return world.see(TestWorld.pod(name));
  }
}
