package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ClusterRequest.Verb;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs that the controller leaves, and takes up when another command asks for them. */
class ReconsideredJobsTest {
  private final TestWorld world = new TestWorld();
  private final Set<String> wanted = new HashSet<>();

  /** The writes that do not arrive yet. */
  private final List<Runnable> late = new ArrayList<>();

  private Predicate<ClusterRequest> slow = _ -> false;
  private final JobController controller = controller();

  /** The API, at which some kinds of writes do not arrive for a while. */
  private final class SlowCluster extends ForwardingCluster {
    SlowCluster() {
      super(world.api);
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      if (!slow.test(request)) {
        return sending.get();
      }
      CompletableFuture<@Nullable Void> gate = new CompletableFuture<>();
      late.add(() -> gate.complete(null));
      return gate.thenCompose(_ -> sending.get());
    }
  }

  private JobController controller() {
    JobControllerOptions plain = JobControllerOptions.DEFAULT;
    return new JobController(
        new SlowCluster(),
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

  /** Starts with a Job whose pods are under way to the API. */
  private void createPodsSlowly(int pods) {
    wanted.add("a");
    world.api.add(
        JobBuilder.indexed("a").completions(pods).parallelism(pods).selecting("app", "a"));
    slow = ClusterRequest::isWrite;
    controller.start();
    world.pass(Duration.ofSeconds(2));
  }

  /**
   * Leaves a Job and takes it up again, while a write about it is under way; which then arrives.
   */
  private void leaveAndTakeUp(String name) {
    leave();
    wanted.add(name);
    reconsider();
    arrive();
  }

  private void leave() {
    assertThat(late).isNotEmpty();
    wanted.clear();
    reconsider();
  }

  private void arrive() {
    slow = _ -> false;
    late.forEach(Runnable::run);
    world.pass(Duration.ofMinutes(1));
  }

  private long podsCreated() {
    return world.api.requests.stream().filter(each -> each.startsWith("create pods")).count();
  }

  /** Seed 3910 of the worlds with a shared data directory. */
  @Test
  void aPodThatIsBeingCreatedAsItsJobIsLeftIsNotCreatedAgain() {
    createPodsSlowly(1);
    world.api.change(TestWorld.job("a"), "{'metadata':{'generation':2}}"); // So names are others.
    leaveAndTakeUp("a");
    assertThat(podsCreated()).isOne();
    assertThat(status("a").active()).isOne();
  }

  @Test
  void aJobThatIsLeftGetsNoneOfThePodsThatWereToFollow() {
    createPodsSlowly(3);
    leave();
    arrive();
    assertThat(podsCreated()).isOne();
    assertThat(world.api.peekAll(Kind.EVENT))
        .noneMatch(event -> Json.text(event.tree(), "reason").equals("FailedCreate"));
  }

  @Test
  void aSurplusPodThatIsBeingReleasedAsItsJobIsLeftIsDeleted() {
    wanted.add("a");
    add("a");
    controller.start();
    world.pass(Duration.ofSeconds(2));
    slow = request -> request.verb() == Verb.PATCH;
    world.api.change(TestWorld.job("a"), "{'metadata':{'generation':2},'spec':{'parallelism':1}}");
    world.pass(Duration.ofSeconds(2));
    leave();
    arrive();
    assertThat(world.api.requests).filteredOn(each -> each.startsWith("delete pods")).hasSize(1);
    assertThat(world.api.peekAll(Kind.POD))
        .filteredOn(pod -> pod.deletionTimestamp() == null)
        .singleElement()
        .satisfies(pod -> assertThat(OrphanPods.isTracked(pod)).isTrue());
  }

  @Test
  void anIndexWhoseSuccessIsBeingStoredAsItsJobIsLeftDoesNotRunAgain() {
    wanted.add("a");
    add("a");
    controller.start();
    world.pass(Duration.ofSeconds(2));
    slow = ClusterRequest::isWrite;
    world.api.change(TestWorld.pod("a-0"), "{'status':{'phase':'Succeeded'}}");
    world.pass(Duration.ofSeconds(2));
    world.changeAsAStatusIsStored(
        TestWorld.pod("a-0"),
        "{'status':{'phase':'Failed','containerStatuses':[{'name':'c','state':"
            + "{'terminated':{'exitCode':1,'finishedAt':'2026-01-31T11:00:00Z'}}}]}}");
    leaveAndTakeUp("a");
    assertThat(podsCreated()).isZero();
    assertThat(status("a").succeeded()).isOne();
  }

  private KubeObject pod(String name) {
    return world.see(TestWorld.pod(name));
  }
}
