package dev.stint.cli.simulate;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.SimulatedEnvironment;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulates a Job under a failure model: the API and the Job controller are real; pods and time are
 * simulated.
 *
 * @param job the document, valid, with a name and a namespace; not suspended
 * @param inputs the config maps and secrets that its pods use
 * @param model the outcomes of attempts
 * @param maxPods the number of pods that run at once
 */
record Simulation(ObjectNode job, List<ObjectNode> inputs, PodModel model, int maxPods) {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int LOG_EVENTS = 1024;
  private static final long LOG_BYTES = 4L << 20;

  /**
   * Runs the Job this many times. The same seed gives the same results, in the same order. Uses all
   * processors.
   */
  List<Result> runs(long seed, int count) {
    long[] seeds = new SplittableRandom(seed).longs(count).toArray();
    return LongStream.of(seeds).parallel().mapToObj(this::run).toList();
  }

  /** Runs the Job once. */
  Result run(long seed) {
    SimulatedEnvironment environment = new SimulatedEnvironment(START, seed, () -> {});
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), options(), environment)) {
      SimulatedRuntime pods =
          new SimulatedRuntime(
              new PodWideOutcomes(model), environment.random(), plane.clock(), plane.timers());
      MeteredRuntime meter = new MeteredRuntime(pods, plane.clock());
      plane.start(meter);
      return new Course(plane, environment, meter).result();
    } catch (StoreException impossible) {
      throw new IllegalStateException("a store in memory could not be read", impossible);
    }
  }

  /**
   * Returns options under which only the last status of each pod is written: the outcome depends on
   * nothing else. Restarts in place are the exception, since they count while the pod runs.
   */
  private ControlPlane.Options options() {
    ControlPlane.Options options =
        new ControlPlane.Options(
                new StoreOptions(LOG_EVENTS, LOG_BYTES, StoreOptions.Durability.STRICT),
                JobControllerOptions.DEFAULT,
                maxPods,
                _ -> true)
            .with(ResourceAmount.UNLIMITED, RunnerOptions.DEFAULT_INPUTS_TIMEOUT);
    return mayRestartInPlace() ? options : options.withStatusDelay(LONGEST);
  }

  private boolean mayRestartInPlace() {
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
    private @Nullable JobStatus ended;

    Course(ControlPlane plane, SimulatedEnvironment environment, MeteredRuntime meter) {
      this.plane = plane;
      this.time = environment.time();
      this.scheduler = environment.scheduler();
      this.meter = meter;
    }

    Result result() {
      inputs.forEach(each -> of(plane.cluster().create(KubeObject.of(each.deepCopy()))));
      KubeObject created = of(plane.cluster().create(KubeObject.of(job.deepCopy())));
      ObjectRef ref = created.ref();
      plane.cluster().watch(Kind.JOB, ref.namespace(), created.resourceVersion(), this);
      step(() -> ended != null);
      JobStatus last =
          ended != null ? ended : JobStatus.read(of(plane.cluster().get(ref)).status());
      return Result.of(last, Duration.between(START, time.instant()), meter);
    }

    private <T> T of(CompletableFuture<T> answer) {
      step(answer::isDone);
      return answer.join();
    }

    private void step(Supplier<Boolean> done) {
      Instant latest = START.plus(LONGEST);
      while (!done.get() && time.instant().isBefore(latest) && scheduler.step()) {}
    }

    @Override
    public void onEvent(WatchEvent event) {
      JobStatus status = JobStatus.read(event.object().status());
      if (status.isFinished()) {
        ended = status;
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      throw new IllegalStateException("the watch of a Job ended", cause);
    }
  }

  /**
   * The result of a run.
   *
   * @param complete true if the Job was Complete; else it was Failed, or had not ended after a year
   * @param reason the reason of its last condition, such as {@code FailedIndexes}
   * @param makespan from its creation to its end
   * @param attempts starts of pods, and restarts in place
   * @param failedAttempts those of them that failed by themselves; others may have been ended
   * @param podTime the total run time of the attempts
   */
  record Result(
      boolean complete,
      String reason,
      Duration makespan,
      int attempts,
      int failedAttempts,
      Duration podTime,
      int succeeded,
      int failed,
      String completedIndexes,
      String failedIndexes) {
    static Result of(JobStatus status, Duration makespan, MeteredRuntime meter) {
      boolean complete = status.isTrue("Complete");
      String reason =
          status
              .condition(complete ? "Complete" : "Failed")
              .filter(JobCondition::status)
              .map(JobCondition::reason)
              .orElse("NotFinished");
      return new Result(
          complete,
          reason,
          makespan,
          meter.attempts(),
          meter.failed(),
          meter.time(),
          status.succeeded(),
          status.failed(),
          status.completedIndexes().toString(),
          status.failedIndexes() == null ? "" : status.failedIndexes().toString());
    }
  }
}
