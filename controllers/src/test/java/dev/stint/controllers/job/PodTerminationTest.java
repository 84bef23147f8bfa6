package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.covers.Covers;
import dev.stint.harness.Fault;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodTerminationTest {
  private final TestWorld world = new TestWorld();

  @BeforeEach
  void start() {
    new JobController(world.api, world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT)
        .start();
    world.settle();
  }

  private KubeObject pod(String more) {
    world.api.add(
        JobBuilder.named("j")
            .metadata("'generation':1")
            .parallelism(1)
            .completions(1)
            .backoffLimit(6)
            .spec(
                "'completionMode':'NonIndexed','podReplacementPolicy':'TerminatingOrFailed'" + more)
            .selecting("a", "b")
            .annotation(JobOptions.STARTUP_DEADLINE, "1m"));
    world.settle();
    return world.api.peekAll(Kind.POD).getFirst();
  }

  private KubeObject now(KubeObject pod) {
    return world.api.peekAll(Kind.POD).stream()
        .filter(each -> each.uid().equals(pod.uid()))
        .findFirst()
        .orElseThrow();
  }

  private List<String> warnings() {
    return world.api.peekAll(Kind.EVENT).stream()
        .filter(event -> "StartupDeadlineExceeded".equals(Json.text(event.tree(), "reason")))
        .map(event -> String.valueOf(Json.text(event.tree(), "message")))
        .toList();
  }

  private int failed() {
    return JobStatus.read(world.api.peekAll(Kind.JOB).getFirst().status()).failed();
  }

  @Test
  void aPodWithoutANodeFailsAndSaysWhy() {
    KubeObject pod = pod("");
    world.api.change(
        pod.ref(),
        "{'status':{'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False',"
            + "'reason':'Unschedulable','message':'no node has a GPU'}]}}");
    world.pass(Duration.ofSeconds(70));
    KubeObject ended = now(pod);
    assertThat(ended.statusText("phase")).isEqualTo("Failed");
    assertThat(ended.statusText("reason")).isEqualTo("StartupDeadlineExceeded");
    assertThat(ended.statusText("message"))
        .isEqualTo("The pod did not start within 1m: Unschedulable: no node has a GPU");
    assertThat(String.valueOf(ended.status()))
        .contains("PodScheduled", "stint.dev/StartupDeadlineExceeded");
    assertThat(failed()).isOne();
    assertThat(warnings())
        .containsExactly(
            "Ended pod "
                + pod.name()
                + ": not started within 1m: Unschedulable: no node has a GPU");
  }

  @Test
  void aPodThatStartsAtTheLastMomentIsNotEnded() {
    KubeObject pod = pod("");
    world.api.before(
        Fault.unavailable("get " + pod.ref())); // The API is away as the deadline passes.
    world.pass(Duration.ofSeconds(61));
    assertThat(warnings()).isEmpty();
    world.api.change(pod.ref(), "{'status':{'phase':'Running'}}");
    world.api.heal();
    world.pass(Duration.ofMinutes(5));
    assertThat(now(pod).statusText("phase")).isEqualTo("Running");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void aPodThatGotAnotherControllerMeanwhileIsNotEnded() {
    KubeObject pod = pod("");
    String another =
        "{'metadata':{'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'r',"
            + "'uid':'r','controller':true}]}}";
    world.api.before(Fault.once("get " + pod.ref(), () -> world.api.change(pod.ref(), another)));
    world.pass(Duration.ofSeconds(70));
    assertThat(now(pod).controllerUid()).isEqualTo("r");
    assertThat(now(pod).statusText("phase")).isNotEqualTo("Failed");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void aPodThatHasTakenTheNameOfALateOneIsNotEnded() {
    KubeObject pod = pod("");
    world.api.before(
        Fault.once(
            "get " + pod.ref(),
            () -> {
              world.api.erase(pod.ref());
              world.api.add(PodBuilder.named(pod.name()).uid("another").phase("Pending"));
            }));
    world.pass(Duration.ofSeconds(70));
    assertThat(world.see(pod.ref()).uid()).isEqualTo("another");
    assertThat(world.see(pod.ref()).statusText("phase")).isEqualTo("Pending");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void aPodFailurePolicyMatchesTheCondition() {
    pod(
        ",'podFailurePolicy':{'rules':[{'action':'FailJob','onPodConditions':"
            + "[{'type':'stint.dev/StartupDeadlineExceeded','status':'True'}]}]}");
    world.pass(Duration.ofMinutes(2));
    assertThat(JobStatus.read(world.api.peekAll(Kind.JOB).getFirst().status()).conditions())
        .anyMatch(condition -> condition.reason().equals("PodFailurePolicy"));
  }

  @Test
  @Covers("EX-29")
  void aPodThatRestartsTooOftenFailsItsIndexAndSaysSo() {
    world.api.add(
        JobBuilder.indexed("j")
            .metadata("'generation':1")
            .completions(2)
            .parallelism(1)
            .spec(
                "'backoffLimitPerIndex':1,'podReplacementPolicy':'TerminatingOrFailed',"
                    + "'template':{'spec':{'restartPolicy':'OnFailure',"
                    + "'containers':[{'name':'main','image':'i'}]}}")
            .selecting("a", "b")
            .annotation(JobOptions.RESTARTS_PER_INDEX, "true"));
    world.settle();
    KubeObject pod = world.api.peekAll(Kind.POD).getFirst();
    String running =
        "{'status':{'phase':'Running','containerStatuses':[{'name':'main','restartCount':%d}]}}";
    world.api.change(pod.ref(), running.formatted(1));
    world.pass(Duration.ofSeconds(5));
    assertThat(now(pod).statusText("phase")).isEqualTo("Running");
    world.api.change(pod.ref(), running.formatted(2));
    world.pass(Duration.ofSeconds(5));
    assertThat(now(pod).statusText("phase")).isEqualTo("Failed");
    assertThat(now(pod).statusText("reason")).isEqualTo("RestartLimitExceeded");
    assertThat(now(pod).statusText("message"))
        .isEqualTo("The containers restarted 2 times; backoffLimitPerIndex is 1");
    assertThat(String.valueOf(now(pod).status())).contains("stint.dev/RestartLimitExceeded");
    assertThat(world.api.peekAll(Kind.JOB).getFirst().statusText("failedIndexes")).isEqualTo("0");
  }
}
