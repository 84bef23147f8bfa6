package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.Fault;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanExecutorTest {
  private static String untracking(String... finalizers) {
    PodBuilder pod =
        PodBuilder.named("p").uid("u").metadata("'resourceVersion':'7'").finalizers(finalizers);
    return PlanExecutor.untracking(PodView.of(pod.build())).toString();
  }

  private static String json(String text) {
    return Json.parse(text.replace('\'', '"')).toString();
  }

  @Test
  @Covers("TR-09")
  void onlyOurFinalizerIsRemovedAndOnlyOfThePodThatWasSeen() {
    assertThat(untracking(Names.TRACKING_FINALIZER))
        .isEqualTo(json("{'metadata':{'uid':'u','resourceVersion':'7','finalizers':null}}"));
    assertThat(untracking("a/b", Names.TRACKING_FINALIZER, "c/d"))
        .isEqualTo(
            json("{'metadata':{'uid':'u','resourceVersion':'7','finalizers':['a/b','c/d']}}"));
  }

  private final TestWorld world = new TestWorld();

  /** Starts a controller, and a Job whose pods run. */
  private List<ObjectRef> runningPods() {
    new JobController(world.api, world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT)
        .start();
    world.settle();
    world.api.add(JobControllerTest.job().parallelism(2).completions(2));
    world.pass(Duration.ofSeconds(5));
    return world.api.peekAll(Kind.POD).stream().map(KubeObject::ref).toList();
  }

  private JobStatus status() {
    return JobStatus.read(world.api.peekAll(Kind.JOB).getFirst().status());
  }

  private List<String> writes(String prefix) {
    return world.api.requests.stream().filter(each -> each.startsWith(prefix)).toList();
  }

  /** The watch reports nothing, so only the answer to the request tells. */
  @Test
  void aListedPodThatIsGoneAsItIsReleasedCounts() {
    ObjectRef pod = runningPods().getFirst();
    world.api.before(
        Fault.once(
            "patch " + pod,
            () -> {
              world.api.holdNews();
              world.api.erase(pod);
            }));
    world.api.change(pod, "{'status':{'phase':'Succeeded'}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(writes("patch " + pod)).hasSize(1);
    assertThat(status().succeeded()).isOne();
    assertThat(status().uncounted()).isEqualTo(JobStatus.Uncounted.NONE);
  }

  @Test
  void aSurplusPodThatIsGoneAsItIsDeletedIsNotAskedForAgain() {
    List<ObjectRef> pods = runningPods();
    pods.forEach(pod ->
        world.api.before(
            Fault.once(
                "delete " + pod,
                () -> {
                  world.api.holdNews();
                  world.api.erase(pod);
                })));
    world.api.change(TestWorld.job("j"), "{'metadata':{'generation':2},'spec':{'suspend':true}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(writes("delete pods")).hasSize(2);
    assertThat(status().active()).isZero();
    assertThat(status().terminating()).isZero();
  }

  @Test
  void aJobThatGoesMeanwhileIsNotWrittenAndItsPodsAreReleased() {
    List<ObjectRef> pods = runningPods();
    ObjectRef job = TestWorld.job("j");
    int before = writes("updateStatus").size();
    world.api.before(Fault.once("updateStatus", () -> world.api.erase(job)));
    world.api.change(pods.getFirst(), "{'status':{'phase':'Succeeded'}}");
    world.pass(Duration.ofMinutes(1));
    assertThat(writes("updateStatus")).hasSize(before + 1);
    assertThat(pods).allMatch(pod -> world.see(pod).finalizers().isEmpty());
    assertThat(writes("delete pods")).isEmpty();
    assertThat(world.api.peekAll(Kind.POD)).hasSize(2);
  }
}
