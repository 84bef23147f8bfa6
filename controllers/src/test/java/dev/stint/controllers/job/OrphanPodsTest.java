package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods whose Job this controller does not have: nobody else would remove their finalizer. */
class OrphanPodsTest {
  private final TestWorld world = new TestWorld();

  private void addPod(String name, KubeObject job) {
    world.api.add(PodBuilder.of(job, name).finalizers("x/y").phase("Succeeded"));
  }

  private List<String> finalizers(String pod) {
    return world.see(TestWorld.pod(pod)).finalizers();
  }

  @Test
  void theyLoseItOnceTheirJobIsGoneOrHasASuccessorOfItsName() {
    addPod("gone", JobBuilder.named("gone").uid("gone").build());
    addPod("former", JobBuilder.named("j").uid("former").build());
    world.api.add(JobBuilder.named("j").metadata("'generation':1").suspended());
    KubeObject foreign = world.api.add(JobBuilder.named("foreign").managedBy("example.com/other"));
    addPod("foreign", foreign);
    new JobController(world.api, world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT)
        .start();
    world.pass(Duration.ofMinutes(1));
    assertThat(finalizers("gone")).containsExactly("x/y");
    assertThat(finalizers("former")).containsExactly("x/y");
    assertThat(finalizers("foreign")).containsExactly(Names.TRACKING_FINALIZER, "x/y");
  }
}
