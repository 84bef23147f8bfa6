package dev.stint.simulation;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One machine with a disk and a process, which runs the store, the API, the Job controller and the
 * node agent. All of them take turns on the calling thread. The process may die and be started
 * again; the containers that ran continue, unless the machine dies too.
 */
public final class SimulatedSystem {
  /** The name of the one node. */
  public static final String NODE = "node";

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /**
   * The options of the system.
   *
   * @param maxPods the maximum number of pods that run at once
   * @param housekeeping true if the process also collects garbage and deletes Jobs whose time to
   *     live is over
   * @param remote true if the requests of controller and node agent travel over a network, which
   *     does not preserve their order
   * @param haste the probability, 0 to 1, that time jumps although tasks wait
   * @param longestTask the longest simulated time that a task takes
   */
  public record Options(
      StoreOptions store,
      JobControllerOptions jobs,
      int maxPods,
      boolean housekeeping,
      boolean remote,
      double haste,
      Duration longestTask) {
    public static final Options DEFAULT =
        new Options(
            StoreOptions.defaults(),
            JobControllerOptions.DEFAULT,
            110,
            false,
            false,
            0,
            Duration.ZERO);
  }

  private static final List<Kind> OWNING = List.of(Kind.JOB, Kind.POD);

  private final Options options;
  private final SimulatedRuntime.Script script;
  private final Random seeds;
  private final RandomGenerator crashes;
  private final SimulatedTime time = new SimulatedTime(START);
  private final Scheduler scheduler;
  private final SimulatedDisk disk;
  private Lifetime machine = new Lifetime();
  private SimulatedRuntime runtime;
  private Lifetime process = new Lifetime();
  private Lifetime agent = new Lifetime();
  private boolean nodeLost;
  private JobControllerOptions jobs;
  private RequestDelivery.Draw luck = _ -> RequestDelivery.GOOD;
  private Consumer<KubeObject> answers = _ -> {};
  private @Nullable Network network;
  private List<Network> networks = List.of();
  private final List<OtherControllers> others = new ArrayList<>();

  /**
   * Creates a machine that runs no process yet.
   *
   * @param script the behavior of containers
   * @param durable receives every change, in order, once it is permanent
   */
  public SimulatedSystem(
      long seed, Options options, SimulatedRuntime.Script script, Consumer<StoreEvent> durable) {
    this.options = options;
    this.jobs = options.jobs();
    this.script = script;
    this.seeds = new Random(seed);
    this.crashes = new Random(seeds.nextLong());
    this.scheduler =
        new Scheduler(new Random(seeds.nextLong()), time, options.haste(), options.longestTask());
    this.disk = new SimulatedDisk(durable);
    this.runtime = newRuntime();
    process.end();
  }

  private SimulatedRuntime newRuntime() {
    return new SimulatedRuntime(script, new Random(seeds.nextLong()), time, time.timersOf(machine));
  }

  public SimulatedTime time() {
    return time;
  }

  /** True if a process runs. */
  public boolean up() {
    return !process.hasEnded();
  }

  /** Sets what decides on the fate of each request from now on. */
  public void luck(RequestDelivery.Draw ofRequests) {
    luck = ofRequests;
  }

  /** Sets what receives every object in an answer. */
  public void answers(Consumer<KubeObject> seen) {
    answers = seen;
  }

  /** Starts controllers of a process besides those that each has. */
  @FunctionalInterface
  public interface OtherControllers {
    /**
     * Starts them.
     *
     * @param kinds the kinds that the API of the process serves
     */
    void start(Cluster api, ServedKinds kinds, EventLoop loop);
  }

  /** Makes each process from now on start other controllers, too. */
  public void runAlso(OtherControllers controllers) {
    others.add(controllers);
  }

  /** Starts a process like the one before. None may be running. */
  public void start() {
    start(jobs.gates());
  }

  /**
   * Starts a process, which reads back what is on the disk. None may be running.
   *
   * @param gates its feature gates
   */
  public void start(FeatureGates gates) {
    if (up()) {
      throw new IllegalStateException("there is a process already");
    }
    jobs =
        new JobControllerOptions(
            jobs.claim(),
            jobs.only(),
            gates,
            jobs.engine(),
            jobs.syncBatchPeriod(),
            jobs.concurrentSyncs());
    process = new Lifetime();
    Lifetime life = process;
    Executor storeLoop = scheduler.serial(life);
    ApiServer api =
        new ApiServer(
            open(storeLoop, scheduler.serial(life)),
            scheduler.serial(life),
            time,
            new Random(seeds.nextLong()),
            gates,
            ApiServer.Options.defaults().withNode(NODE));
    Network fresh = network(api, life, answers);
    network = fresh;
    // A loss of power may undo what is ahead of the disk, so observers must not rely on it.
    Network ahead =
        options.remote() ? fresh : network(api.ahead(scheduler.serial(life)), life, _ -> {});
    networks = List.of(fresh, ahead);
    Timers timers = time.timersOf(life);
    new JobController(
            ahead,
            new EventLoop(scheduler.serial(life), time, timers, new Random(seeds.nextLong())),
            Metrics.NONE,
            jobs)
        .start();
    if (options.housekeeping()) {
      EventLoop loop =
          new EventLoop(scheduler.serial(life), time, timers, new Random(seeds.nextLong()));
      new TtlController(fresh, loop, Metrics.NONE).start();
      new GarbageCollector(fresh, loop, Metrics.NONE, ServedKinds.fixed(OWNING)).start();
    }
    others.forEach(controllers -> {
      EventLoop loop =
          new EventLoop(scheduler.serial(life), time, timers, new Random(seeds.nextLong()));
      controllers.start(fresh, new KindsOfApi(api), loop);
    });
    if (!nodeLost) {
      startAgent(fresh);
    }
  }

  private record KindsOfApi(ApiServer api) implements ServedKinds {
    @Override
    public List<Kind> stored() {
      return api.storedKinds();
    }

    @Override
    public @Nullable Kind find(String apiVersion, String kind) {
      return api.storedKind(apiVersion, kind).orElse(null);
    }
  }

  private Network network(Cluster api, Lifetime life, Consumer<KubeObject> told) {
    return options.remote()
        ? new Network(
            api,
            scheduler.unordered(life),
            () -> scheduler.serial(life),
            creates -> luck.of(creates),
            told)
        : new Network(api, Runnable::run, () -> Runnable::run, creates -> luck.of(creates), told);
  }

  private void startAgent(Network api) {
    agent.end();
    agent = new Lifetime();
    RunnerOptions runner = new RunnerOptions(NODE, options.maxPods(), pod -> true);
    EventLoop loop =
        new EventLoop(
            scheduler.serial(agent), time, time.timersOf(agent), new Random(seeds.nextLong()));
    new Runner(api, runtime, loop, runner).start();
  }

  /** Removes the node, with its agent and all containers; the process continues. */
  public void loseNode() {
    nodeLost = true;
    agent.end();
    machine.end();
    machine = new Lifetime();
    runtime = newRuntime();
  }

  /** Brings the node back, with nothing on it. */
  public void findNode() {
    nodeLost = false;
    if (network != null && up()) {
      startAgent(network);
    }
  }

  /** True if the node is gone. */
  public boolean nodeLost() {
    return nodeLost;
  }

  /** Holds back the events of all watches for a while. */
  public void stallWatches(Duration howLong) {
    if (up()) {
      List<Network> stalling = networks;
      stalling.forEach(Network::stall);
      time.timersOf(process).after(howLong, () -> stalling.forEach(Network::flow));
    }
  }

  private Store open(Executor loop, Executor waiting) {
    disk.crash(crashes);
    try {
      return Store.open(disk, loop, waiting, options.store());
    } catch (StoreException unreadable) {
      throw new AssertionError("the store cannot be read", unreadable);
    }
  }

  /** Returns the API of the running process, for requests of any client. */
  public Cluster cluster() {
    if (network == null) {
      throw new IllegalStateException("no process was started yet");
    }
    return network;
  }

  /**
   * Ends the process at once, as {@code kill -9} does; may be called from within {@code durable}.
   */
  public void kill() {
    process.end();
    agent.end();
  }

  /** Ends process and machine at once, and with them all containers. */
  public void losePower() {
    kill();
    machine.end();
    machine = new Lifetime();
    runtime = newRuntime();
  }

  /** Makes every write fail until the next process starts. */
  public void fillDisk() {
    disk.fill();
  }

  /** Ends all watches. */
  public void breakWatches(@Nullable ClusterException cause) {
    if (up()) {
      networks.forEach(each -> each.breakWatches(cause));
    }
  }

  /**
   * Makes the process die on writes, before they are synced.
   *
   * @param which true for a batch on which the process dies
   */
  public void killOnAppend(Predicate<List<StoreEvent>> which) {
    disk.cutOff(batch -> {
      boolean dies = up() && which.test(batch);
      if (dies) {
        kill();
      }
      return dies;
    });
  }

  /** True if no task waits, so that only timers are left. */
  public boolean isIdle() {
    return scheduler.isIdle();
  }

  /** Runs one task or timer; false if there was none. */
  public boolean step() {
    return scheduler.step();
  }
}
