package dev.stint.cli.simulate;

import dev.stint.cli.simulate.outcome.JobOutcomes;
import dev.stint.cli.simulate.outcome.OutcomeModels;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.SimulatedEnvironment;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulates Jobs: the API, the Job controller and the admission of pods are real; pods, nodes and
 * time are simulated.
 */
record Simulation(Workload workload, OutcomeModels models, Capacity capacity) {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int LOG_EVENTS = 1024;
  private static final long LOG_BYTES = 4L << 20;

  /**
   * Runs the Jobs this many times. The same seed gives the same results, in the same order. Uses
   * all processors.
   */
  List<RunResult> runs(long seed, int count) {
    return LongStream.of(seeds(seed, count)).parallel().mapToObj(this::run).toList();
  }

  /** Returns the seeds of so many runs. */
  static long[] seeds(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  private RunResult run(long seed) {
    return run(seed, () -> {});
  }

  /**
   * Runs the Jobs once.
   *
   * @param goesOn runs before each step; what it throws ends the run
   */
  RunResult run(long seed, Runnable goesOn) {
    SimulatedEnvironment environment = new SimulatedEnvironment(START, seed, () -> {});
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), options(), environment)) {
      SimulatedRuntime pods =
          new SimulatedRuntime(
              new JobOutcomes(models, seed), environment.random(), plane.clock(), plane.timers());
      MeteredRuntime meter = new MeteredRuntime(pods, plane.clock());
      plane.start(meter);
      return new Course(plane, environment, meter, goesOn).result();
    } catch (StoreException impossible) {
      throw new IllegalStateException("a store in memory could not be read", impossible);
    }
  }

  /**
   * Returns options under which only the last status of each pod is written: the outcome depends on
   * nothing else. Restarts in place are the exception, since they count while the pod runs.
   */
  private ControlPlaneOptions options() {
    boolean binding = capacity.nodes() == null;
    ResourceAmount machine = binding ? capacity.machine() : ResourceAmount.UNLIMITED;
    int pods = binding ? capacity.pods() : Integer.MAX_VALUE;
    StoreOptions store = new StoreOptions(LOG_EVENTS, LOG_BYTES, StoreOptions.Durability.STRICT);
    ControlPlaneOptions options =
        new ControlPlaneOptions(
                store, JobControllerOptions.DEFAULT, pods, _ -> true, binding, false)
            .with(machine, RunnerOptions.DEFAULT_INPUTS_TIMEOUT);
    return mayRestartInPlace() ? options : options.withStatusDelay(LONGEST);
  }

  private boolean mayRestartInPlace() {
    return workload.jobs().stream().anyMatch(job -> mayRestartInPlace(job.tree()));
  }

  private static boolean mayRestartInPlace(ObjectNode job) {
    JsonNode pod = job.at("/spec/template/spec");
    return "OnFailure".equals(Json.text(pod, "restartPolicy"))
        || pod.at("/containers").valueStream().anyMatch(each -> each.has("restartPolicy"));
  }

  /** One run, in the calling thread. */
  private final class Course implements WatchHandler {
    private final ControlPlane plane;
    private final SimulatedTime time;
    private final Scheduler scheduler;
    private final MeteredRuntime meter;
    private final Runnable goesOn;
    private final Map<String, Ended> ended = new HashMap<>();

    /** The last status of a Job, and its time. */
    private record Ended(JobStatus status, Instant at) {}

    Course(
        ControlPlane plane,
        SimulatedEnvironment environment,
        MeteredRuntime meter,
        Runnable goesOn) {
      this.goesOn = goesOn;
      this.plane = plane;
      this.time = environment.time();
      this.scheduler = environment.scheduler();
      this.meter = meter;
    }

    RunResult result() {
      workload.inputs().forEach(each -> of(plane.cluster().create(KubeObject.of(each.deepCopy()))));
      plane.cluster().watch(Kind.JOB, null, revision(Kind.JOB), this);
      schedule();
      List<KubeObject> created = workload.jobs().stream().map(job -> created(job.tree())).toList();
      step(() -> ended.size() == created.size());
      return new RunResult(created.stream().map(this::result).toList());
    }

    /** Creates a Job and lets its pods queue up, before those of the next one. */
    private KubeObject created(ObjectNode job) {
      KubeObject created = of(plane.cluster().create(KubeObject.of(job.deepCopy())));
      while (scheduler.work()) {
        goesOn.run();
      }
      return created;
    }

    /** Starts a scheduler if there are nodes. */
    private void schedule() {
      Integer nodes = capacity.nodes();
      if (nodes != null) {
        new NodeScheduler(plane, new NodePlacement<>(nodes, capacity.machine(), capacity.pods()))
            .start(revision(Kind.POD));
      }
    }

    private String revision(Kind kind) {
      return of(plane.cluster().list(kind, null)).resourceVersion();
    }

    private JobResult result(KubeObject job) {
      Ended end = ended.get(job.uid());
      Ended last = end != null ? end : ended(of(plane.cluster().get(job.ref())));
      return JobResult.of(last.status(), START, last.at(), meter.of(job.uid()));
    }

    private Ended ended(KubeObject job) {
      return new Ended(JobStatus.read(job.status()), time.instant());
    }

    private <T> T of(CompletableFuture<T> answer) {
      step(answer::isDone);
      return answer.join();
    }

    private void step(Supplier<Boolean> done) {
      Instant latest = START.plus(LONGEST);
      while (!done.get() && time.instant().isBefore(latest) && scheduler.step()) {
        goesOn.run();
      }
    }

    @Override
    public void onEvent(WatchEvent event) {
      Ended now = ended(event.object());
      if (now.status().isFinished()) {
        ended.putIfAbsent(event.object().uid(), now);
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      throw new IllegalStateException("the watch of a Job ended", cause);
    }
  }
}
