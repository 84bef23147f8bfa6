package dev.stint.embedded;

import dev.stint.cluster.Timers;
import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * A simulated execution environment: the caller of {@link #scheduler()} does all work on one
 * thread, and the same seed with the same requests gives the same run.
 *
 * {@snippet :
 * SimulatedEnvironment environment = new SimulatedEnvironment(start, seed, () -> {});
 * ControlPlane plane = new ControlPlane(new SimulatedEngine(), options, environment);
 * plane.start(runtime);
 * CompletableFuture<KubeObject> created = plane.cluster().create(job);
 * while (!isFinished(job) && environment.scheduler().step()) {}
 * }
 */
public final class SimulatedEnvironment implements ExecutionEnvironment {
  private final Lifetime life = new Lifetime();
  private final SimulatedTime time;
  private final Scheduler scheduler;
  private final SplittableRandom seeds;
  private final Runnable handedIn;

  /**
   * @param handedIn runs whenever a task is handed in, on the thread that hands it in
   */
  public SimulatedEnvironment(Instant start, long seed, Runnable handedIn) {
    this.time = new SimulatedTime(start);
    this.seeds = new SplittableRandom(seed);
    this.scheduler = new Scheduler(seeds.split(), time);
    this.handedIn = handedIn;
  }

  public SimulatedTime time() {
    return time;
  }

  /** Returns the scheduler, which runs the tasks. */
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public Worker worker(String name) {
    Lifetime ofWorker = new Lifetime();
    Executor queue = scheduler.serial(ofWorker);
    return new Worker() {
      @Override
      public void execute(Runnable task) {
        queue.execute(task);
        handedIn.run();
      }

      @Override
      public void close() {
        ofWorker.end();
      }
    };
  }

  @Override
  public Executor tasks() {
    return Runnable::run;
  }

  @Override
  public InstantSource clock() {
    return time;
  }

  @Override
  public InstantSource steady() {
    return time;
  }

  @Override
  public Timers timers() {
    return time.timersOf(life);
  }

  @Override
  public RandomGenerator random() {
    return seeds.split();
  }

  @Override
  public void close() {
    life.end();
  }
}
