package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.covers.Covers;
import dev.stint.harness.Fault;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rare sequences of answers and events that once went wrong. */
class JobControllerTest {
  private static final PodBuilder BARE = PodBuilder.named("bare").label("a", "b").running();

  private final TestWorld world = new TestWorld();

  private void start(FeatureGates gates) {
    JobControllerOptions plain = JobControllerOptions.DEFAULT;
    new JobController(
            world.api,
            world.eventLoop,
            Metrics.NONE,
            new JobControllerOptions(
                plain.claim(),
                plain.only(),
                gates,
                plain.engine(),
                plain.syncBatchPeriod(),
                plain.concurrentSyncs()))
        .start();
    world.settle();
  }

  static JobBuilder job() {
    return JobBuilder.named("j")
        .metadata("'generation':1")
        .parallelism(1)
        .completions(1)
        .backoffLimit(6)
        .spec("'completionMode':'NonIndexed','podReplacementPolicy':'TerminatingOrFailed'")
        .selecting("a", "b");
  }

  @Test
  void noMorePodsAreCreatedWhileMuchOfAJobWaitsToStart() {
    start(FeatureGates.DEFAULT);
    String large = "x".repeat(4 << 20);
    world.api.add(
        job()
            .parallelism(2_000_000_000)
            .completions(2_000_000_000)
            .podSpec("'hostname':'" + large + "'"));
    world.pass(Duration.ofMinutes(1));
    assertThat(world.api.peekAll(Kind.POD)).hasSize(15);
    ObjectRef first = world.api.peekAll(Kind.POD).getFirst().ref();
    world.api.change(first, "{'status':{'phase':'Running'}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(world.api.peekAll(Kind.POD)).hasSize(16);
  }

  /** Fails the only active pod, and returns the number of pods that exist after this time. */
  private int podsAfterAFailure(Duration time) {
    ObjectRef pod =
        world.api.peekAll(Kind.POD).stream()
            .filter(each -> !"Failed".equals(each.statusText("phase")))
            .findFirst()
            .orElseThrow()
            .ref();
    world.api.change(pod, "{'status':{'phase':'Failed'}}");
    world.pass(time);
    return world.api.peekAll(Kind.POD).size();
  }

  private long warnings() {
    return world.api.peekAll(Kind.EVENT).stream()
        .filter(event -> "InvalidAnnotation".equals(Json.text(event.tree(), "reason")))
        .count();
  }

  @Test
  void aJobHasItsOwnDelaysAfterFailures() {
    start(FeatureGates.DEFAULT);
    world.api.add(job().annotation(JobOptions.POD_FAILURE_BACKOFF, "1s, max 3s"));
    world.settle();
    assertThat(podsAfterAFailure(Duration.ofSeconds(4))).isEqualTo(2);
    assertThat(podsAfterAFailure(Duration.ofSeconds(4))).isEqualTo(3);
    assertThat(podsAfterAFailure(Duration.ofSeconds(4))).isEqualTo(4);
    assertThat(warnings()).isZero();
  }

  @Test
  void delaysThatChangeHoldForPastFailures() {
    start(FeatureGates.DEFAULT);
    KubeObject job = world.api.add(job());
    world.settle();
    assertThat(podsAfterAFailure(Duration.ofSeconds(4))).isEqualTo(1);
    world.api.change(
        job.ref(), "{'metadata':{'annotations':{'stint.dev/pod-failure-backoff':'1s, max 1m'}}}");
    world.pass(Duration.ofSeconds(2));
    assertThat(world.api.peekAll(Kind.POD)).hasSize(2);
  }

  @Test
  void delaysThatAreInvalidAreIgnoredWithAWarning() {
    start(FeatureGates.DEFAULT);
    world.api.add(job().annotation(JobOptions.POD_FAILURE_BACKOFF, "1s"));
    world.settle();
    assertThat(warnings()).isOne();
    assertThat(podsAfterAFailure(Duration.ofSeconds(4))).isEqualTo(1);
    world.pass(Duration.ofSeconds(10));
    assertThat(world.api.peekAll(Kind.POD)).hasSize(2);
    assertThat(warnings()).isOne();
  }

  @Test
  void nothingIsCreatedWhileAPodIsBeingAdopted() {
    start(FeatureGates.DEFAULT);
    world.api.add(BARE);
    world.settle();
    world.api.add(job());
    world.pass(Duration.ofSeconds(5));
    assertThat(onlyPod().name()).isEqualTo("bare");
    assertThat(world.api.requests).noneMatch(request -> request.startsWith("create pods"));
  }

  private KubeObject running() {
    KubeObject job = world.api.add(job());
    world.pass(Duration.ofSeconds(5));
    return job;
  }

  private ObjectRef onlyPod() {
    assertThat(world.api.peekAll(Kind.POD)).hasSize(1);
    return world.api.peekAll(Kind.POD).getFirst().ref();
  }

  private JobStatus status() {
    return JobStatus.read(world.api.peekAll(Kind.JOB).getFirst().status());
  }

  @Test
  void aPodDeletedBeforeItsReleaseIsRetriedIsNotRestored() {
    start(FeatureGates.DEFAULT);
    running();
    ObjectRef pod = onlyPod();
    world.api.before(Fault.unavailable("patch " + pod));
    world.api.change(pod, "{'metadata':{'labels':{'a':'c'}}}");
    world.settle();
    world.api.change(pod, "{'metadata':{'finalizers':null}}");
    world.api.remove(pod, Propagation.BACKGROUND);
    world.settle();
    world.api.heal();
    world.pass(Duration.ofMinutes(30));
    assertThat(onlyPod()).isNotEqualTo(pod);
    assertThat(status().active()).isEqualTo(1);
  }

  /**
   * Between the decision to release the pod and the request. Nobody would ever report how the pod
   * ended, so it would be held forever.
   */
  @Test
  void aPodDeletedDuringTheSuspensionOfItsJobIsReleased() {
    start(FeatureGates.DEFAULT);
    KubeObject job = world.api.add(job().spec("'podReplacementPolicy':'Failed'"));
    world.pass(Duration.ofSeconds(5));
    ObjectRef pod = onlyPod();
    meanwhile(pod, () -> world.api.remove(pod, Propagation.BACKGROUND));
    world.api.change(
        pod, "{'metadata':{'finalizers':['" + Names.TRACKING_FINALIZER + "','example.com/hold']}}");
    world.api.change(job.ref(), "{'metadata':{'generation':2},'spec':{'suspend':true}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(world.see(pod).deletionTimestamp()).isNotNull();
    assertThat(world.see(pod).finalizers()).containsExactly("example.com/hold");
    world.api.change(pod, "{'metadata':{'finalizers':null}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(world.exists(pod)).isFalse();
    assertThat(status().terminating()).isZero();
    assertThat(status().failed()).isZero();
  }

  /** A user gives up pods of a lost node, which never stop. */
  @Test
  void aPodThatNeverStopsIsReplacedOnceThePolicyAllowsIt() {
    start(FeatureGates.DEFAULT);
    KubeObject job =
        world.api.add(job().spec("'completionMode':'Indexed','podReplacementPolicy':'Failed'"));
    world.settle();
    ObjectRef pod = onlyPod();
    world.api.change(pod, "{'status':{'phase':'Running'}}");
    world.api.remove(pod, Propagation.BACKGROUND);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.api.peekAll(Kind.POD)).hasSize(1);
    world.api.change(
        job.ref(),
        "{'metadata':{'generation':2},'spec':{'podReplacementPolicy':'TerminatingOrFailed'}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(world.api.peekAll(Kind.POD)).filteredOn(each -> !each.ref().equals(pod)).hasSize(1);
    assertThat(status().failed()).isEqualTo(1);
  }

  /** Its author may still write it with the revision from the answer to the creation. */
  @Test
  void theSuspendedConditionOfANewJobIsWrittenAMomentLater() {
    start(FeatureGates.DEFAULT);
    KubeObject job = world.api.add(job().suspended());
    world.pass(Duration.ofMillis(500));
    assertThat(world.see(job.ref()).resourceVersion()).isEqualTo(job.resourceVersion());
    world.api.change(job.ref(), "{'metadata':{'generation':2},'spec':{'parallelism':2}}");
    world.pass(Duration.ofMillis(499));
    assertThat(status().conditions()).isEmpty();
    world.pass(Duration.ofMillis(1));
    assertThat(status().isTrue("Suspended")).as("a change does not put it off").isTrue();
  }

  /** A pod that stops before it is released counts, whatever the Job planned for it. */
  @Test
  void aPodThatFailsWhileItsJobIsSuspendedCounts() {
    start(FeatureGates.DEFAULT);
    KubeObject job = running();
    ObjectRef pod = onlyPod();
    meanwhile(pod, () -> world.api.change(pod, "{'status':{'phase':'Failed'}}"));
    world.api.change(job.ref(), "{'metadata':{'generation':2},'spec':{'suspend':true}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(status().failed()).isEqualTo(1);
  }

  /**
   * As when the answer to the patch is lost: the patch that is sent again is refused, and the watch
   * has yet to report the first one.
   */
  @Test
  void aPodWhoseReleaseIsKnownByAReadAloneIsNoFailure() {
    start(FeatureGates.DEFAULT);
    KubeObject job = running();
    ObjectRef pod = onlyPod();
    meanwhile(
        pod,
        () -> {
          world.api.holdNews();
          world.api.change(pod, "{'metadata':{'finalizers':null}}");
        });
    world.api.change(job.ref(), "{'metadata':{'generation':2},'spec':{'suspend':true}}");
    world.pass(Duration.ofSeconds(1));
    assertThat(world.exists(pod)).isFalse();
    world.api.resumeNews();
    world.api.change(job.ref(), "{'metadata':{'generation':3},'spec':{'suspend':false}}");
    world.pass(Duration.ofSeconds(1));
    world.api.releaseNews();
    world.pass(Duration.ofMinutes(1));
    assertThat(status().failed()).isZero();
    assertThat(status().active()).isEqualTo(1);
  }

  /**
   * As when a node is lost whose agent had just reported the success.
   *
   * @param answer what the controller hears; a conflict if the status was sent again, and met
   *     itself
   */
  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"TIMEOUT", "CONFLICT", "TOO_MANY_REQUESTS"})
  void anIndexWhoseSuccessWasStoredWithoutAnAnswerDoesNotRunAgain(Reason answer) {
    start(FeatureGates.DEFAULT);
    world.api.add(job().parallelism(2).completions(2).spec("'completionMode':'Indexed'"));
    world.pass(Duration.ofSeconds(5));
    ObjectRef pod = world.api.peekAll(Kind.POD).getFirst().ref();
    world.changeAsAStatusIsStored(pod, "{'status':{'phase':'Failed'}}");
    world.api.after(
        Fault.refusing("updateStatus", new ClusterException(answer, "no answer of the first try")));
    world.api.change(pod, "{'status':{'phase':'Succeeded'}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(status().succeeded()).isEqualTo(1);
    assertThat(world.api.requests.stream().filter(each -> each.startsWith("create pods")))
        .hasSize(2);
  }

  /** Runs a task right before the first patch of a pod. */
  private void meanwhile(ObjectRef pod, Runnable happens) {
    world.api.before(Fault.once("patch " + pod, happens));
  }

  @Test
  @Covers("TR-22")
  void anAdoptionWhoseAnswerWasLostHolds() {
    start(FeatureGates.DEFAULT);
    ObjectRef bare = TestWorld.pod("bare");
    world.api.before(Fault.unavailable("patch " + bare));
    world.api.add(BARE);
    KubeObject job = world.api.add(job());
    world.settle();
    world.api.change(
        bare,
        "{'metadata':{'finalizers':['"
            + Names.TRACKING_FINALIZER
            + "'],'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'j','uid':'"
            + job.uid()
            + "','controller':true}]}}");
    world.pass(Duration.ofMillis(500));
    world.api.heal();
    world.pass(Duration.ofMinutes(5));
    assertThat(onlyPod()).isEqualTo(bare);
    assertThat(status().active()).isEqualTo(1);
  }

  @Test
  @Covers("TR-20")
  void aPodThatIsOrphanedLosesItsFinalizer() {
    start(FeatureGates.DEFAULT);
    running();
    ObjectRef pod = onlyPod();
    ObjectRef job = TestWorld.job("j");
    world.api.change(
        job, "{'metadata':{'deletionTimestamp':'2026-01-31T12:00:05Z','finalizers':['orphan']}}");
    world.api.change(pod, "{'metadata':{'ownerReferences':null}}");
    world.api.change(job, "{'metadata':{'finalizers':null}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(world.api.peekAll(Kind.POD).getFirst().finalizers()).isEmpty();
  }

  @Test
  @Covers("MB-24")
  void aFailJobRuleHoldsWithBothAnnouncementGatesOff() {
    start(
        FeatureGates.DEFAULT
            .with(Gate.JobManagedBy, false)
            .with(Gate.JobPodReplacementPolicy, false));
    world.api.add(
        job()
            .spec(
                "'podFailurePolicy':{'rules':[{'action':'FailJob',"
                    + "'onExitCodes':{'operator':'In','values':[42]}}]}"));
    world.pass(Duration.ofSeconds(5));
    world.api.change(
        onlyPod(),
        "{'status':{'phase':'Failed','containerStatuses':[{'name':'c','state':{'terminated':"
            + "{'exitCode':42,'finishedAt':'2026-01-31T12:00:05Z'}}}]}}");
    world.pass(Duration.ofMinutes(10));
    assertThat(status().isTrue("Failed")).isTrue();
    assertThat(status().failed()).isEqualTo(1);
  }

  @Test
  void anAdoptedPodWithoutAnIndexIsDeletedAndTheIndexRuns() {
    start(FeatureGates.DEFAULT);
    world.api.add(BARE);
    world.api.add(job().spec("'completionMode':'Indexed'"));
    world.pass(Duration.ofMinutes(10));
    assertThat(world.api.peekAll(Kind.POD))
        .extracting(pod -> pod.labels().get(Names.COMPLETION_INDEX))
        .contains("0");
    assertThat(status().active()).isEqualTo(1);
  }

  @Test
  void anEventThatWasLostIsWrittenAnewAndThenCounts() {
    start(FeatureGates.DEFAULT);
    world.api.before(
        Fault.refusing("create events", new ClusterException(Reason.UNAVAILABLE, "away")));
    world.api.before(Fault.unavailable("create pods"));
    world.api.add(job());
    world.pass(Duration.ofMinutes(6));
    assertThat(world.api.peekAll(Kind.EVENT)).hasSizeBetween(1, 3);
    assertThat(world.api.requests).anyMatch(request -> request.startsWith("patch events"));
  }

  private long requestsWithin(Duration time, String prefix) {
    world.api.requests.clear();
    world.pass(time);
    return world.api.requests.stream().filter(request -> request.startsWith(prefix)).count();
  }

  @Test
  void aSyncThatWaitsForAnAdoptionDoesNotResetTheBackoff() {
    start(FeatureGates.DEFAULT);
    world.api.before(Fault.unavailable("updateStatus"));
    KubeObject job = world.api.add(job());
    world.pass(Duration.ofMinutes(1));
    world.api.change(job.ref(), "{'metadata':{'labels':{'x':'y'}}}");
    world.api.add(BARE);
    assertThat(requestsWithin(Duration.ofSeconds(5), "updateStatus")).isLessThanOrEqualTo(3);
  }

  @Test
  void aStatusThatCannotBeWrittenIsRetriedLessAndLessOften() {
    start(FeatureGates.DEFAULT);
    world.api.before(Fault.unavailable("updateStatus"));
    world.api.add(job().suspended());
    world.pass(Duration.ofMinutes(1));
    assertThat(requestsWithin(Duration.ofSeconds(30), "updateStatus")).isLessThanOrEqualTo(6);
  }

  @Test
  void aPodThatCannotBeCreatedIsRetriedLessAndLessOften() {
    start(FeatureGates.DEFAULT);
    world.api.before(Fault.unavailable("create pods"));
    world.api.add(job());
    world.pass(Duration.ofMinutes(1));
    assertThat(requestsWithin(Duration.ofSeconds(30), "create pods")).isLessThanOrEqualTo(6);
  }
}
