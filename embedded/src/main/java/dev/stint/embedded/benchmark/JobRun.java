package dev.stint.embedded.benchmark;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.data.DataLayout;
import dev.stint.engine.EngineOptions;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.runner.process.ProcessRuntime;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark: runs Indexed Jobs whose pods take no time, or as little as a process can, and so
 * measures Stint's own overhead. The store is durable, and all parts use the same API as any other
 * client.
 *
 * <p>Each run has a store of its own, which is removed afterwards.
 */
public final class JobRun {
  private static final ExponentialBackoff BACKOFF =
      new ExponentialBackoff(Duration.ofMillis(100), Duration.ofMillis(100));

  /** The time after which a run on a cluster gives up if nothing happens. */
  private static final Duration PROGRESS_TIMEOUT = Duration.ofMinutes(1);

  /** The Jobs that are created or deleted at once: each such request has a connection. */
  private static final int CREATED_AT_ONCE = 50;

  private static final String NAME = "bench";

  private final JobRunOptions options;

  /** Fails when the caller ends the benchmark. */
  private final CompletableFuture<@Nullable Void> stopped;

  private final Map<String, TimedJob> jobs = new LinkedHashMap<>();
  private final Latencies createToStart = new Latencies();
  private final Latencies finishToStatus = new Latencies();
  private final Latencies lastEndToComplete = new Latencies();
  private final AtomicLong pods = new AtomicLong();

  /** Changes whenever something happens. */
  private final AtomicLong events = new AtomicLong();

  /**
   * @param name the prefix of the Jobs' names
   */
  private JobRun(JobRunOptions options, String name, CompletableFuture<?> stop) {
    this.options = options;
    this.stopped =
        stop.<@Nullable Void>thenCompose(
            _ -> CompletableFuture.failedFuture(new StoppedException()));
    for (int i = 0; i < options.jobs(); i++) {
      String job = name + "-" + i;
      jobs.put(job, new TimedJob(job, options, createToStart, finishToStatus, lastEndToComplete));
    }
  }

  /** Runs as the other method does, to the end. */
  public static JobRunReport run(JobRunOptions options, @Nullable Path parent)
      throws IOException, StoreException, ExecutionException, InterruptedException {
    return run(options, parent, new CompletableFuture<>());
  }

  /**
   * Runs, and blocks until all Jobs are Complete.
   *
   * @param parent the parent of the run's own directory; null for the system's temporary directory
   * @param stop ends the benchmark early when it completes; the directory is then deleted, too
   * @throws IOException the directory cannot be used
   * @throws StoreException the store cannot be opened
   * @throws ExecutionException a Job failed, the store failed, or the benchmark was stopped ({@link
   *     StoppedException})
   */
  public static JobRunReport run(
      JobRunOptions options, @Nullable Path parent, CompletableFuture<?> stop)
      throws IOException, StoreException, ExecutionException, InterruptedException {
    JobRun run = new JobRun(options, NAME, stop);
    try (TemporaryDirectory directory = TemporaryDirectory.in(parent)) {
      return run.in(
          directory.path(),
          new EmbeddedTarget(directory.path(), run.planeOptions(), run::onKeyCreated));
    }
  }

  /**
   * Runs on a remote cluster that has a Job controller, and blocks until all Jobs are Complete.
   * Jobs are in the namespace {@code default}, their pods on a node that is created for them; both
   * are deleted afterwards.
   *
   * @param cluster not closed with this
   * @param told receives a line that says what is waited for, if nothing happens for a while
   * @param stop ends the benchmark early when it completes; Jobs and node are then deleted, too
   * @throws IOException a temporary directory cannot be used
   * @throws ExecutionException a Job failed, the API refused something, nothing happened any more
   *     ({@link StalledException}), or the benchmark was stopped ({@link StoppedException})
   * @throws InterruptedException the thread was interrupted, also while Jobs and node are deleted:
   *     some of them may stay
   */
  public static JobRunReport on(
      Cluster cluster,
      Timers timers,
      JobRunOptions options,
      Consumer<String> told,
      CompletableFuture<?> stop)
      throws IOException, ExecutionException, InterruptedException {
    return on(cluster, timers, options, PROGRESS_TIMEOUT, told, stop);
  }

  /**
   * @param patience how long nothing may happen
   */
  static JobRunReport on(
      Cluster cluster,
      Timers timers,
      JobRunOptions options,
      Duration patience,
      Consumer<String> told,
      CompletableFuture<?> stop)
      throws IOException, ExecutionException, InterruptedException {
    String name = NAME + "-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    JobRun run = new JobRun(options, name, stop);
    try (TemporaryDirectory directory = TemporaryDirectory.in(null)) {
      return run.in(
          directory.path(),
          new RemoteTarget(
              new StoredEnds(cluster, run::onPodEnd),
              timers,
              name,
              options,
              patience,
              run.events::get,
              told));
    }
  }

  private JobRunReport in(Path directory, BenchmarkTarget opened)
      throws IOException, ExecutionException, InterruptedException {
    try (BenchmarkTarget stack = opened;
        Pods made = pods(stack, directory)) {
      CompletableFuture.anyOf(stack.start(made.runtime()), stopped).get();
      Cluster cluster = stack.cluster();
      String revision = cluster.list(Kind.JOB, TimedJob.NAMESPACE).get().resourceVersion();
      try (Watch _ = cluster.watch(Kind.JOB, TimedJob.NAMESPACE, revision, new Watcher())) {
        return measureWithXargs(stack);
      } finally {
        if (stack instanceof RemoteTarget) {
          ClusterRequests.each(jobs.values(), CREATED_AT_ONCE, job -> job.delete(cluster)).get();
        }
      }
    }
  }

  /**
   * Measures the Jobs and, if pods are processes, also runs as many commands by {@code xargs} for
   * comparison.
   */
  private JobRunReport measureWithXargs(BenchmarkTarget stack)
      throws IOException, ExecutionException, InterruptedException {
    if (!options.processes()) {
      return measure(stack);
    }
    Xargs xargs = new Xargs((long) options.completions() * options.jobs(), options.podsAtOnce());
    xargs.runHalf();
    JobRunReport report = measure(stack);
    xargs.runHalf();
    return report.withXargs(xargs.perSecond());
  }

  private JobRunReport measure(BenchmarkTarget stack)
      throws IOException, ExecutionException, InterruptedException {
    ProcessUsage meter = new ProcessUsage();
    CompletableFuture<?> complete = create(stack).thenCompose(_ -> complete());
    CompletableFuture.anyOf(complete, stack.failure(), stopped).get();
    return new JobRunReport(
        options,
        pods.get(),
        meter.wallSeconds(),
        meter.cpuSeconds(),
        createToStart.percentiles(),
        finishToStatus.percentiles(),
        lastEndToComplete.percentiles(),
        stack.storeBytes(),
        meter.peakHeapBytes(),
        OptionalDouble.empty());
  }

  private CompletableFuture<@Nullable Void> create(BenchmarkTarget stack) {
    Function<TimedJob, CompletableFuture<?>> request =
        job -> job.create(stack.cluster(), stack.nodeName()).thenAccept(stack::onCreated);
    if (options.jobsPerSecond() == 0) {
      return ClusterRequests.each(jobs.values(), CREATED_AT_ONCE, request);
    }
    Duration gap = Duration.ofSeconds(1).dividedBy(options.jobsPerSecond());
    return PacedRequests.each(jobs.values(), gap, stack.timers(), request);
  }

  private ControlPlaneOptions planeOptions() {
    EngineOptions engine =
        new EngineOptions(
            BACKOFF,
            EngineOptions.DEFAULT.maxUncountedPods(),
            EngineOptions.DEFAULT.maxPodChangesPerSync());
    JobControllerOptions standard = JobControllerOptions.DEFAULT;
    return new ControlPlaneOptions(
        StoreOptions.defaults(),
        new JobControllerOptions(
            standard.claim(),
            standard.only(),
            standard.gates(),
            engine,
            standard.syncBatchPeriod(),
            standard.concurrentSyncs()),
        options.podsAtOnce(),
        pod -> true);
  }

  /** The runtime of the pods, and a task that closes it. */
  private record Pods(Runtime runtime, Runnable end) implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }

  private Pods pods(BenchmarkTarget stack, Path directory) throws IOException {
    if (!options.processes()) {
      return new Pods(
          new SimulatedRuntime(
              (pod, random) -> new SimulatedRuntime.Outcome(Duration.ZERO, onSimulatedRun(pod)),
              new Random(1),
              stack.clock(),
              stack.timers()),
          () -> {});
    }
    ProcessRuntime processes =
        new ProcessRuntime(
            new DataLayout(directory).pods(),
            new DataLayout(directory).logs(),
            System.getenv(),
            stack.clock(),
            stack.timers());
    return new Pods(
        new TimedRuntime(processes, this::onPodStart, this::onPodEnd), processes::close);
  }

  private int onSimulatedRun(KubeObject pod) {
    int code = onPodStart(pod);
    onPodEnd(pod);
    return code;
  }

  private int onPodStart(KubeObject pod) {
    pods.incrementAndGet();
    events.incrementAndGet();
    PodIndex place = PodIndex.of(pod.name());
    TimedJob job = jobs.get(place.job);
    return job == null ? 0 : job.onPodStart(place.index, pod, System.nanoTime());
  }

  private void onPodEnd(KubeObject pod) {
    events.incrementAndGet();
    PodIndex place = PodIndex.of(pod.name());
    TimedJob job = jobs.get(place.job);
    if (job != null) {
      job.onPodEnd(place.index, System.nanoTime());
    }
  }

  private void onKeyCreated(String key) {
    if (key.contains("/pods/")) {
      PodIndex place = PodIndex.of(key.substring(key.lastIndexOf('/') + 1));
      TimedJob job = jobs.get(place.job);
      if (job != null) {
        job.onPodCreated(place.index, System.nanoTime());
      }
    }
  }

  private CompletableFuture<@Nullable Void> complete() {
    return all(jobs.values().stream().map(TimedJob::complete).toList());
  }

  private static CompletableFuture<@Nullable Void> all(
      List<? extends CompletableFuture<?>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }

  /** The Job and index of a pod, by its name: {@code JOB-INDEX-RANDOM}. */
  private record PodIndex(String job, int index) {
    static PodIndex of(String pod) {
      int end = pod.lastIndexOf('-');
      int start = pod.lastIndexOf('-', end - 1);
      return new PodIndex(pod.substring(0, start), Integer.parseInt(pod, start + 1, end, 10));
    }
  }

  private final class Watcher implements WatchHandler {
    @Override
    public void onEvent(WatchEvent event) {
      TimedJob job = jobs.get(event.object().name());
      if (job != null) {
        events.incrementAndGet();
        job.onUpdate(event.object(), System.nanoTime());
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      if (cause != null) {
        jobs.values().forEach(job -> job.complete().completeExceptionally(cause));
      }
    }
  }
}
