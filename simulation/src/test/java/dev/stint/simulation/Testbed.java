package dev.stint.simulation;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.cluster.time.Lifetime;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.PrometheusMetrics;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestLoop;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Store, API and Job controller on the calling thread, in time that only the test advances. The
 * controller is a client like any other, whose calls are recorded. Without a node, the test itself
 * sets the states of pods.
 */
final class Testbed {
  private static final int ENDLESS = 50_000_000;

  private final Random random = new Random(1);
  private final SimulatedDisk disk = new SimulatedDisk(_ -> {});
  private final TestLoop loop = new TestLoop();
  private Lifetime process = new Lifetime();

  /** The API for users and nodes. */
  Cluster api;

  /** The API for the controller. */
  RecordingCluster calls;

  /** The metrics of the running controller. */
  PrometheusRegistry metrics = new PrometheusRegistry();

  Testbed() {
    this(JobControllerOptions.DEFAULT);
  }

  Testbed(JobControllerOptions options) {
    ApiServer server = server(options.gates());
    this.api = server;
    this.calls = new RecordingCluster(server, loop.time, timing());
    control(options);
  }

  /** Ends the process at once; one with these options continues from the stored state. */
  Testbed restart(JobControllerOptions options) {
    process.end();
    process = new Lifetime();
    ApiServer server = server(options.gates());
    api = server;
    calls = new RecordingCluster(server, loop.time, timing());
    metrics = new PrometheusRegistry();
    control(options);
    return settle();
  }

  Testbed restart(FeatureGates gates) {
    return restart(with(gates));
  }

  static JobControllerOptions with(FeatureGates gates) {
    JobControllerOptions plain = JobControllerOptions.DEFAULT;
    return new JobControllerOptions(
        plain.claim(),
        plain.only(),
        gates,
        plain.engine(),
        plain.syncBatchPeriod(),
        plain.concurrentSyncs());
  }

  private ApiServer server(FeatureGates gates) {
    disk.crash(random);
    return new ApiServer(
        store(),
        loop(),
        loop.time,
        new Random(random.nextLong()),
        gates,
        ApiServer.Options.defaults().withNode("node"));
  }

  private Store store() {
    try {
      return Store.open(disk, loop(), StoreOptions.defaults());
    } catch (StoreException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  private void control(JobControllerOptions options) {
    new JobController(calls, eventLoop(), new PrometheusMetrics(metrics, loop.time), options)
        .start();
  }

  /** Adds a node that runs all pods by a script. */
  Testbed node(SimulatedRuntime.Script script) {
    SimulatedRuntime runtime =
        new SimulatedRuntime(script, new Random(random.nextLong()), loop.time, timing());
    RunnerOptions options = new RunnerOptions("node", Integer.MAX_VALUE, pod -> true);
    new Runner(api, runtime, eventLoop(), options).start();
    return this;
  }

  /** Returns a new event loop of the running process. */
  EventLoop eventLoop() {
    return new EventLoop(loop(), loop.time, timing(), new Random(random.nextLong()));
  }

  /** Returns an executor of the running process. */
  Executor loop() {
    Lifetime life = process;
    return task ->
        loop.execute(() -> {
          if (!life.hasEnded()) {
            task.run();
          }
        });
  }

  /** Returns timers of the running process. */
  Timers timing() {
    return loop.time.timersOf(process);
  }

  Instant now() {
    return loop.now();
  }

  /** Runs everything that does not wait for time to pass. */
  Testbed settle() {
    for (int steps = 0; loop.step(); steps++) {
      if (steps > ENDLESS) {
        throw new AssertionError("this never settles");
      }
      loop.time.advance(Duration.ZERO);
    }
    return this;
  }

  /** Lets time pass, with everything that happens in it. */
  Testbed pass(Duration time) {
    settle();
    loop.time.advance(time, this::settle);
    return this;
  }

  /** Lets time pass until nothing waits for it any more. */
  Testbed runToTheEnd() {
    settle();
    while (loop.time.jump()) {
      settle();
    }
    return this;
  }

  <T extends @Nullable Object> T answer(CompletableFuture<T> request) {
    while (!request.isDone() && loop.step()) {}
    if (!request.isDone()) {
      throw new AssertionError("there is no answer");
    }
    try {
      return request.join();
    } catch (RuntimeException failure) {
      if (ClusterException.causeOf(failure) instanceof ClusterException refusal) {
        throw refusal;
      }
      throw failure;
    }
  }

  /** Creates a Job, and lets the controller see it. */
  KubeObject create(String name, String spec) {
    JobBuilder job = JobBuilder.named(name).spec(spec).command("w");
    KubeObject created = answer(api.create(job.build()));
    settle();
    return created;
  }

  static KubeObject object(String json) {
    return KubeObject.of(Json.parse(json.replace('\'', '"')));
  }

  static ObjectRef job(String name) {
    return new ObjectRef(Kind.JOB, "default", name);
  }

  KubeObject see(String job) {
    return answer(api.get(job(job)));
  }

  JobStatus status(String job) {
    return JobStatus.read(see(job).status());
  }

  /** Returns the types of the true conditions. */
  List<String> conditions(String job) {
    return status(job).conditions().stream()
        .map(JobCondition::type)
        .filter(status(job)::isTrue)
        .toList();
  }

  List<KubeObject> list(Kind kind) {
    return answer(api.list(kind, null)).items();
  }

  List<KubeObject> pods(String job) {
    String uid = see(job).uid();
    return list(Kind.POD).stream().filter(pod -> uid.equals(pod.controllerUid())).toList();
  }

  Stream<PodView> views(String job) {
    return pods(job).stream().map(PodView::of);
  }

  List<Integer> activeIndexes(String job) {
    return views(job).filter(PodView::isActive).map(PodView::index).sorted().toList();
  }

  /** Returns the pod of an index that has not stopped and is not being deleted. */
  KubeObject pod(String job, int index) {
    return pods(job).stream()
        .filter(pod -> PodView.of(pod).isActive() && PodView.of(pod).index() == index)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no pod of index " + index + " runs"));
  }

  /** Sets the pod of an index to running and ready. */
  Testbed run(String job, int index) {
    ObjectNode status = Json.object().put("phase", "Running");
    status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
    return report(pod(job, index), status);
  }

  Testbed succeed(String job, int index) {
    return finish(pod(job, index), PodPhase.Succeeded, 0);
  }

  Testbed fail(String job, int index, int exitCode) {
    return finish(pod(job, index), PodPhase.Failed, exitCode);
  }

  Testbed finish(KubeObject pod, PodPhase phase, int exitCode) {
    finishQuietly(pod, phase, exitCode);
    return settle();
  }

  /** Finishes a pod; nobody is notified yet. */
  void finishQuietly(KubeObject pod, PodPhase phase, int exitCode) {
    ObjectNode status = Json.object().put("phase", phase.name());
    ObjectNode container = status.putArray("containerStatuses").addObject().put("name", "main");
    container
        .putObject("state")
        .putObject("terminated")
        .put("exitCode", exitCode)
        .put("finishedAt", Timestamps.format(now()));
    send(pod, status);
  }

  private Testbed report(KubeObject pod, ObjectNode status) {
    send(pod, status);
    return settle();
  }

  private void send(KubeObject pod, ObjectNode status) {
    ObjectNode patch = Json.object();
    patch.set("status", status);
    CompletableFuture<KubeObject> sent = api.patchStatus(pod.ref(), patch);
    if (sent.isCompletedExceptionally()) {
      throw new AssertionError("the API refuses a pod's status", sent.exceptionNow());
    }
  }

  /** Changes a Job as a user does. */
  Testbed change(String job, String mergePatch) {
    answer(api.patch(job(job), Json.parse(mergePatch.replace('\'', '"'))));
    return settle();
  }

  /** Deletes a pod as a user does; it stops at once. */
  Testbed delete(KubeObject pod) {
    answer(api.delete(pod.ref(), DeleteOptions.now(pod.uid())));
    return settle();
  }

  /**
   * Returns the controller's counter of a name (without {@code _total}); 0 if nothing was counted.
   */
  double counted(String name, String... labels) {
    return points(name, CounterSnapshot.class)
        .flatMap(counter -> counter.getDataPoints().stream())
        .filter(point -> point.getLabels().equals(Labels.of(labels)))
        .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
        .sum();
  }

  /** Counts the controller's syncs, from its histogram. */
  long syncs() {
    return points("job_controller_job_sync_duration_seconds", HistogramSnapshot.class)
        .flatMap(histogram -> histogram.getDataPoints().stream())
        .mapToLong(HistogramSnapshot.HistogramDataPointSnapshot::getCount)
        .sum();
  }

  private <T extends MetricSnapshot> Stream<T> points(String name, Class<T> type) {
    return metrics.scrape().stream()
        .filter(each -> each.getMetadata().getPrometheusName().equals(name))
        .map(type::cast);
  }
}
