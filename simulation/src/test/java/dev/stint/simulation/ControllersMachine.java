package dev.stint.simulation;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.controllers.after.AfterController;
import dev.stint.controllers.cronjob.CronJobController;
import dev.stint.controllers.gc.EventExpiry;
import dev.stint.controllers.gc.GarbageCollector;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.gc.TtlController;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.Store;
import dev.stint.store.StoreEvent;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A machine on which processes with all controllers run one after the other. */
final class ControllersMachine {
  private static final List<Kind> KINDS =
      List.of(Kind.JOB, Kind.CRON_JOB, Kind.POD, Kind.CONFIG_MAP, Kind.SECRET, Kind.NAMESPACE);

  private final Random random;
  private final SimulatedTime time;
  private final Scheduler scheduler;
  private final SimulatedDisk disk;
  private final SimulatedRuntime runtime;
  private final int meanSteps;
  private final boolean expiresEvents;
  private Lifetime process = new Lifetime();
  private Cluster api;

  /** Creates a machine whose pods take five minutes. They fail if their name begins with bad. */
  ControllersMachine(long seed, int meanSteps) {
    this(
        seed,
        meanSteps,
        SimulatedSystem.START,
        (pod, chance) ->
            new SimulatedRuntime.Outcome(
                Duration.ofMinutes(5), pod.name().startsWith("bad-") ? 1 : 0),
        _ -> {},
        false);
  }

  /**
   * Creates a machine on which a process runs.
   *
   * @param meanSteps the average number of steps after which a process dies, and the next one
   *     starts at once
   * @param durable receives every change, in order, once it is permanent
   * @param expiresEvents true if events go an hour after their last occurrence
   */
  ControllersMachine(
      long seed,
      int meanSteps,
      Instant start,
      SimulatedRuntime.Script script,
      Consumer<StoreEvent> durable,
      boolean expiresEvents) {
    this.random = new Random(seed);
    this.meanSteps = meanSteps;
    this.expiresEvents = expiresEvents;
    this.time = new SimulatedTime(start);
    this.disk = new SimulatedDisk(durable);
    this.scheduler = new Scheduler(new Random(seed + 1), time, 0, Duration.ZERO);
    this.runtime =
        new SimulatedRuntime(script, new Random(seed + 2), time, time.timersOf(new Lifetime()));
    this.api = newProcess();
  }

  private Cluster newProcess() {
    disk.crash(random);
    process = new Lifetime();
    Lifetime life = process;
    ApiServer server =
        new ApiServer(
            open(scheduler.serial(life)),
            scheduler.serial(life),
            time,
            new Random(random.nextLong()),
            FeatureGates.DEFAULT,
            ApiServer.Options.defaults().withNode("node"));
    new JobController(server, loop(), Metrics.NONE, JobControllerOptions.DEFAULT).start();
    RunnerOptions options = new RunnerOptions("node", 110, pod -> true);
    new Runner(server, runtime, loop(), options).start();
    EventLoop loop = loop();
    new CronJobController(server, loop, Metrics.NONE, ZoneOffset.UTC, FeatureGates.DEFAULT).start();
    new AfterController(server, loop, Metrics.NONE, JobControllerOptions.DEFAULT).start();
    new TtlController(server, loop, Metrics.NONE).start();
    new GarbageCollector(server, loop, Metrics.NONE, ServedKinds.fixed(KINDS)).start();
    if (expiresEvents) {
      new EventExpiry(server, loop, EventExpiry.DEFAULT_TIME_TO_LIVE).start();
    }
    return server;
  }

  private EventLoop loop() {
    return new EventLoop(
        scheduler.serial(process), time, time.timersOf(process), new Random(random.nextLong()));
  }

  private Store open(Executor loop) {
    try {
      return Store.open(disk, loop, StoreOptions.defaults());
    } catch (StoreException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  /** Ends the process at once. Containers go on. */
  void kill() {
    process.end();
  }

  /** Starts a process after {@link #kill}. */
  void start() {
    api = newProcess();
  }

  Cluster api() {
    return api;
  }

  Instant now() {
    return time.instant();
  }

  void runFor(Duration duration) {
    AtomicBoolean isOver = new AtomicBoolean();
    time.timersOf(new Lifetime()).after(duration, () -> isOver.set(true));
    while (!isOver.get()) {
      if (random.nextInt(meanSteps) == 0 && !process.hasEnded()) {
        kill();
        start();
      }
      scheduler.step();
    }
  }

  <T extends @Nullable Object> T answer(CompletableFuture<T> request) {
    while (!request.isDone() && scheduler.step()) {}
    return request.join();
  }

  List<KubeObject> list(Kind kind) {
    return answer(api.list(kind, null)).items();
  }
}
