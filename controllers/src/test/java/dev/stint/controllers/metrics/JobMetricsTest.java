package dev.stint.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.covers.Covers;
import dev.stint.harness.Fault;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The metrics of a Job's life, even if answers are lost and the controller restarts. */
class JobMetricsTest {
  private final TestWorld world = new TestWorld();
  private PrometheusRegistry registry = new PrometheusRegistry();
  private JobController controller = start(FeatureGates.DEFAULT);

  /** Starts a new process, whose counters begin at 0. */
  private JobController start(FeatureGates gates) {
    registry = new PrometheusRegistry();
    JobControllerOptions plain = JobControllerOptions.DEFAULT;
    controller =
        new JobController(
            world.api,
            world.eventLoop,
            new PrometheusMetrics(registry, world.time),
            new JobControllerOptions(
                plain.claim(),
                plain.only(),
                gates,
                plain.engine(),
                plain.syncBatchPeriod(),
                plain.concurrentSyncs()));
    controller.start();
    world.settle();
    return controller;
  }

  private void restart(FeatureGates gates) {
    controller.close();
    world.settle();
    start(gates);
    world.pass(Duration.ofSeconds(5));
  }

  private void job(String name, String spec) {
    world.api.add(
        JobBuilder.indexed(name)
            .metadata("'generation':1")
            .parallelism(1)
            .completions(1)
            .backoffLimit(6)
            .selecting("a", name)
            .spec(spec));
    world.pass(Duration.ofSeconds(5));
  }

  private void end(String job, String phase) {
    for (KubeObject pod : world.api.peekAll(Kind.POD)) {
      if (pod.name().startsWith(job) && status(pod, "phase").equals("Pending")) {
        world.api.change(pod.ref(), "{'status':{'phase':'%s'}}".formatted(phase));
      }
    }
    world.pass(Duration.ofSeconds(5));
  }

  private static String status(KubeObject object, String member) {
    return object.status() == null ? "" : object.status().path(member).asString("");
  }

  private boolean finished(String job) {
    return JobStatus.read(world.see(TestWorld.job(job)).status()).isFinished();
  }

  private double finished(String result, String reason) {
    return counted(
        "jobs_finished", "completion_mode", "Indexed", "result", result, "reason", reason);
  }

  private double counted(String name, String... labels) {
    return registry.scrape().stream()
        .filter(each -> each.getMetadata().getPrometheusName().equals("job_controller_" + name))
        .map(CounterSnapshot.class::cast)
        .flatMap(each -> each.getDataPoints().stream())
        .filter(point -> point.getLabels().equals(Labels.of(labels)))
        .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
        .sum();
  }

  @Test
  @Covers({"SP-47", "SP-60"})
  void anEndCountsOnceThoughTheAnswerToItsWriteWasLost() {
    job("a", "");
    ObjectRef a = TestWorld.job("a");
    world.api.after(Fault.unavailable("updateStatus " + a));
    end("a", "Succeeded");
    world.pass(Duration.ofMinutes(1));
    world.api.heal();
    world.pass(Duration.ofMinutes(10));
    assertThat(finished("a")).isTrue();
    assertThat(finished("succeeded", "CompletionsReached")).isEqualTo(1);
    assertThat(counted("job_finished_indexes", "status", "succeeded", "backoffLimit", "global"))
        .isEqualTo(1);
    assertThat(counted("job_pods_finished", "completion_mode", "Indexed", "result", "succeeded"))
        .isEqualTo(1);
  }

  @Test
  @Covers("SP-47")
  void afterARestartOnlyLaterEndsAreMetered() {
    job("a", "");
    job("b", "'backoffLimit':0");
    end("a", "Succeeded");
    assertThat(finished("succeeded", "CompletionsReached")).isEqualTo(1);
    restart(FeatureGates.DEFAULT);
    end("b", "Failed");
    assertThat(List.of(finished("a"), finished("b"))).containsOnly(true);
    assertThat(finished("succeeded", "CompletionsReached")).isZero();
    assertThat(finished("failed", "BackoffLimitExceeded")).isEqualTo(1);
    restart(FeatureGates.DEFAULT);
    assertThat(finished("failed", "BackoffLimitExceeded")).isZero();
  }

  @Test
  @Covers("SP-47")
  void aJobWhoseEndWasAnnouncedBeforeARestartCountsWhenItEnds() {
    job(
        "a",
        "'podFailurePolicy':{'rules':[{'action':'FailJob','onPodConditions':"
            + "[{'type':'Ready','status':'False'}]}]}");
    ObjectRef a = TestWorld.job("a");
    ObjectRef pod = world.api.peekAll(Kind.POD).getFirst().ref();
    world.api.before(Fault.unavailable("patch " + pod));
    world.api.change(
        pod, "{'status':{'phase':'Failed','conditions':[{'type':'Ready','status':'False'}]}}");
    world.pass(Duration.ofSeconds(5));
    assertThat(JobStatus.read(world.see(a).status()).isTrue("FailureTarget")).isTrue();
    world.api.heal();
    restart(FeatureGates.DEFAULT);
    assertThat(finished("failed", "PodFailurePolicy")).isEqualTo(1);
    assertThat(counted("pod_failures_handled_by_failure_policy", "action", "FailJob")).isEqualTo(1);
  }

  @Test
  void theNameOfARuleIsNoReasonOfItsOwn() {
    restart(FeatureGates.DEFAULT.with(Gate.PodFailurePolicyName, true));
    job(
        "a",
        "'podFailurePolicy':{'rules':[{'name':'NotReady','action':'FailJob','onPodConditions':"
            + "[{'type':'Ready','status':'False'}]}]}");
    ObjectRef pod = world.api.peekAll(Kind.POD).getFirst().ref();
    world.api.change(
        pod, "{'status':{'phase':'Failed','conditions':[{'type':'Ready','status':'False'}]}}");
    world.pass(Duration.ofSeconds(5));
    assertThat(JobStatus.read(world.see(TestWorld.job("a")).status()).condition("Failed"))
        .get()
        .extracting(JobCondition::reason)
        .isEqualTo("PodFailurePolicy_NotReady");
    assertThat(finished("failed", "PodFailurePolicy")).isEqualTo(1);
  }

  @Test
  @Covers("SP-48")
  void withoutSuccessPoliciesASuccessHasNoReason() {
    restart(FeatureGates.DEFAULT.with(Gate.JobSuccessPolicy, false));
    job("a", "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}");
    end("a", "Succeeded");
    assertThat(finished("succeeded", "")).isEqualTo(1);
  }

  @Test
  @Covers({"BI-42", "BI-47"})
  void aLimitPerIndexThatIsIgnoredDoesNotCountAsOne() {
    restart(FeatureGates.DEFAULT.with(Gate.JobBackoffLimitPerIndex, false));
    job("a", "'backoffLimitPerIndex':1");
    end("a", "Succeeded");
    assertThat(counted("job_finished_indexes", "status", "succeeded", "backoffLimit", "global"))
        .isEqualTo(1);
  }

  @Test
  void podsAreCreatedForAReason() {
    job("a", "'podReplacementPolicy':'Failed'");
    job("b", "'podReplacementPolicy':'TerminatingOrFailed'");
    assertThat(created("new")).isEqualTo(2);
    end("a", "Failed");
    end("b", "Failed");
    world.pass(Duration.ofMinutes(1));
    assertThat(created("new")).isEqualTo(2);
    assertThat(created("recreate_failed")).isEqualTo(1);
    assertThat(created("recreate_terminating_or_failed")).isEqualTo(1);
  }

  @Test
  void withoutPodReplacementPoliciesEveryPodIsNew() {
    restart(FeatureGates.DEFAULT.with(Gate.JobPodReplacementPolicy, false));
    job("a", "'podReplacementPolicy':'Failed'");
    end("a", "Failed");
    world.pass(Duration.ofMinutes(1));
    assertThat(created("new")).isEqualTo(2);
    assertThat(JobStatus.read(world.see(TestWorld.job("a")).status()).terminating()).isNull();
  }

  private double created(String reason) {
    return counted("job_pods_creation", "reason", reason, "status", "succeeded");
  }
}
