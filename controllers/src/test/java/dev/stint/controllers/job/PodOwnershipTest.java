package dev.stint.controllers.job;

import static dev.stint.controllers.job.JobControllerTest.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.covers.Covers;
import dev.stint.harness.Fault;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** One whose outcome is decided would count pods again that it has let go. */
  @ParameterizedTest
  @ValueSource(strings = {"Complete", "FailureTarget", "SuccessCriteriaMet"})
  void aJobThatHasEndedOrIsDecidedAdoptsNothing(String condition) {
    world.api.add(job().status("'conditions':[{'type':'" + condition + "','status':'True'}]"));
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

  private static final String OTHER_CONTROLLER =
      "{'metadata':{'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'r',"
          + "'uid':'r','controller':true}]}}";
  private static final String NO_OWNER = "{'metadata':{'ownerReferences':null}}";
  private static final String SUCCEEDED = "{'status':{'phase':'Succeeded'}}";

  /** Returns the only pod of a Job with a generated selector, which it has begun with. */
  private KubeObject podOfGeneratedSelector() {
    world.api.add(job().completions(2).uid("u").selecting(Names.CONTROLLER_UID, "u"));
    world.pass(Duration.ofSeconds(5));
    return world.api.peekAll(Kind.POD).getFirst();
  }

  private int succeeded() {
    return JobStatus.read(world.api.peekAll(Kind.JOB).getFirst().status()).succeeded();
  }

  /**
   * A pod succeeds, and loses its owner when its Job removes the finalizer.
   *
   * @param onAdoption happens when the Job is read, to adopt the pod
   */
  private void succeedWithoutOwner(KubeObject pod, Runnable onAdoption) {
    world.api.before(Fault.once("patch " + pod.ref(), () -> world.api.change(pod.ref(), NO_OWNER)));
    world.api.before(Fault.once("get jobs", onAdoption));
    world.api.change(pod.ref(), SUCCEEDED);
  }

  @Test
  @Covers("TR-07")
  void aCountedPodThatLosesItsOwnerDoesNotCountAgain() {
    KubeObject pod = podOfGeneratedSelector();
    world.api.change(pod.ref(), SUCCEEDED);
    world.pass(Duration.ofSeconds(5));
    assertThat(succeeded()).isOne();
    world.api.change(pod.ref(), NO_OWNER);
    world.pass(Duration.ofSeconds(5));
    assertThat(succeeded()).isOne();
    assertThat(world.see(pod.ref()).controllerUid()).isNull();
  }

  /** Its Job seems to have lost it, and so to be rid of the finalizer, until the next try. */
  @Test
  @Covers("TR-22")
  void aListedPodWhoseAdoptionFailsForAWhileCountsOnce() {
    KubeObject pod = podOfGeneratedSelector();
    succeedWithoutOwner(
        pod,
        () -> {
          throw new ClusterException(Reason.UNAVAILABLE, "away");
        });
    world.pass(Duration.ofMinutes(1));
    assertThat(succeeded()).isOne();
    assertThat(world.see(pod.ref()).finalizers()).isEmpty();
  }

  /** The watch is late, so that the Job seems to have lost it for a while. */
  @Test
  @Covers("TR-22")
  void aListedPodThatChangesDuringItsAdoptionCountsOnce() {
    KubeObject pod = podOfGeneratedSelector();
    succeedWithoutOwner(
        pod,
        () -> {
          world.api.holdNews();
          world.api.change(pod.ref(), "{'metadata':{'annotations':{'x':'y'}}}");
        });
    world.pass(Duration.ofSeconds(5));
    world.api.releaseNews();
    world.pass(Duration.ofMinutes(1));
    assertThat(succeeded()).isOne();
    assertThat(world.see(pod.ref()).finalizers()).isEmpty();
  }

  @Test
  @Covers("BI-34")
  void aFailedPodThatIsAdoptedAgainDelaysOthersOnce() {
    KubeObject pod = podOfGeneratedSelector();
    world.api.before(Fault.once("patch " + pod.ref(), () -> world.api.change(pod.ref(), NO_OWNER)));
    world.api.change(pod.ref(), "{'status':{'phase':'Failed'}}");
    world.pass(Duration.ofSeconds(12));
    assertThat(world.api.peekAll(Kind.POD)).hasSize(2);
  }

  /** The Job's deletion is reported after it was read for the adoption. */
  @Test
  void aPodThatADeletedJobDoesNotAdoptLosesTheFinalizer() {
    KubeObject job = world.api.add(job().suspended());
    world.pass(Duration.ofSeconds(5));
    world.api.before(
        Fault.once(
            "get jobs",
            () ->
                world.api.change(
                    job.ref(), "{'metadata':{'finalizers':['x/y']," + DELETED + "}}")));
    world.api.add(
        PodBuilder.named("bare").label("a", "b").finalizers(Names.TRACKING_FINALIZER).running());
    world.pass(Duration.ofMinutes(1));
    assertThat(bare().controllerUid()).isNull();
    assertThat(bare().finalizers()).isEmpty();
  }

  @Test
  void aJobWithItsOwnSelectorReleasesPodsWithTheLabelOfAGeneratedOne() {
    KubeObject job = world.api.add(job().uid("u").spec("'manualSelector':true"));
    world.pass(Duration.ofSeconds(5));
    KubeObject pod = world.api.peekAll(Kind.POD).getFirst();
    world.api.change(
        pod.ref(), "{'metadata':{'labels':{'a':'c','" + Names.CONTROLLER_UID + "':'u'}}}");
    world.pass(Duration.ofSeconds(5));
    assertThat(pod.controllerUid()).isEqualTo(job.uid());
    assertThat(world.see(pod.ref()).controllerUid()).isNull();
  }

  /** Right before the pod is released, or right before it is deleted. */
  @ParameterizedTest
  @ValueSource(strings = {"patch ", "delete "})
  void aPodThatGetsAnotherControllerAsItsJobLetsItGoIsLeftAlone(String request) {
    KubeObject job = world.api.add(job());
    world.pass(Duration.ofSeconds(5));
    KubeObject pod = world.api.peekAll(Kind.POD).getFirst();
    List<KubeObject> left = new ArrayList<>();
    world.api.before(
        Fault.once(
            request + pod.ref(), () -> left.add(world.api.change(pod.ref(), OTHER_CONTROLLER))));
    world.api.change(job.ref(), "{'metadata':{'generation':2},'spec':{'suspend':true}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(left).hasSize(1);
    assertThat(world.see(pod.ref()).resourceVersion()).isEqualTo(left.getFirst().resourceVersion());
  }

  /** It was adopted again, or changes in another way, right before it is deleted. */
  @ParameterizedTest
  @ValueSource(
      strings = {"'finalizers':['" + Names.TRACKING_FINALIZER + "']", "'labels':{'x':'y'}"})
  void aPodThatChangesAsItsJobLetsItGoIsNoFailure(String change) {
    KubeObject job = world.api.add(job());
    world.pass(Duration.ofSeconds(5));
    KubeObject pod = world.api.peekAll(Kind.POD).getFirst();
    world.api.before(
        Fault.once(
            "delete " + pod.ref(),
            () -> world.api.change(pod.ref(), "{'metadata':{" + change + "}}")));
    world.api.change(job.ref(), "{'metadata':{'generation':2},'spec':{'suspend':true}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(world.exists(pod.ref())).isFalse();
    assertThat(JobStatus.read(world.see(job.ref()).status()).failed()).isZero();
  }
}
