package dev.stint.controllers.job;

import static dev.stint.controllers.job.JobControllerTest.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.covers.Covers;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that a Job gains and loses by their labels. */
class PodOwnershipTest {
  private final TestWorld world = new TestWorld();

  @BeforeEach
  void start() {
    new JobController(world.api, world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT)
        .start();
    world.settle();
  }

  private KubeObject bare() {
    return world.see(TestWorld.pod("bare"));
  }

  @Test
  @Covers("TR-22")
  void aPodIsAdoptedOnceItHasTheLabels() {
    world.api.add(PodBuilder.named("bare").running());
    KubeObject job = world.api.add(job());
    world.pass(Duration.ofSeconds(5));
    assertThat(bare().controllerUid()).isNull();
    world.api.change(bare().ref(), "{'metadata':{'labels':{'a':'b'}}}");
    world.pass(Duration.ofSeconds(5));
    assertThat(bare().controllerUid()).isEqualTo(job.uid());
    assertThat(bare().finalizers()).containsExactly(Names.TRACKING_FINALIZER);
  }

  @Test
  void aJobThatHasEndedAdoptsNothing() {
    world.api.add(job().status("'conditions':[{'type':'Complete','status':'True'}]"));
    world.api.add(PodBuilder.named("bare").label("a", "b").running());
    world.pass(Duration.ofSeconds(5));
    assertThat(bare().controllerUid()).isNull();
  }

  @Test
  void aPodThatNoLongerMatchesIsReleasedUncountedAndReplaced() {
    KubeObject job = world.api.add(job());
    world.pass(Duration.ofSeconds(5));
    KubeObject pod = world.api.peekAll(Kind.POD).getFirst();
    assertThat(pod.controllerUid()).isEqualTo(job.uid());
    world.api.change(pod.ref(), "{'metadata':{'labels':{'a':'c'}}}");
    world.pass(Duration.ofSeconds(5));
    assertThat(world.see(pod.ref()).controllerUid()).isNull();
    assertThat(world.see(pod.ref()).finalizers()).isEmpty();
    assertThat(world.api.peekAll(Kind.POD)).hasSize(2);
    assertThat(JobStatus.read(world.see(job.ref()).status()).failed()).isZero();
  }

  private static final String DELETED =
      "'deletionTimestamp':'2026-01-31T12:00:30Z','deletionGracePeriodSeconds':30";

  @Test
  void aPodThatIsBeingDeletedIsNotAdopted() {
    world.api.add(job());
    world.pass(Duration.ofSeconds(5));
    world.api.add(
        PodBuilder.named("bare").label("a", "b").finalizers("x/y").metadata(DELETED).running());
    world.pass(Duration.ofSeconds(5));
    assertThat(bare().controllerUid()).isNull();
  }

  /** It counts for its Job, which would not know otherwise how it ends. */
  @Test
  @Covers("TR-19")
  void aPodThatIsBeingDeletedIsNotReleased() {
    KubeObject job = world.api.add(job());
    world.pass(Duration.ofSeconds(5));
    KubeObject pod = world.api.peekAll(Kind.POD).getFirst();
    world.api.change(
        pod.ref(), "{'metadata':{'finalizers':['x/y'],'labels':{'a':'c'}," + DELETED + "}}");
    world.pass(Duration.ofSeconds(5));
    assertThat(world.see(pod.ref()).controllerUid()).isEqualTo(job.uid());
  }
}
