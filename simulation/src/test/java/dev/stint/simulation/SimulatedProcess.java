package dev.stint.simulation;

import dev.stint.cluster.Timers;
import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.embedded.ExecutionEnvironment;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** A process with threads, a clock and timers, which can stand still and can be killed. */
final class SimulatedProcess {
  final SimulatedTime time;
  private final Scheduler scheduler;
  private final Random random;
  private final Lifetime life = new Lifetime();
  private final List<PausableLoop> loops = new ArrayList<>();
  private final List<Runnable> missed = new ArrayList<>();
  private final List<Runnable> atEnd = new ArrayList<>();
  private final Executor anyOrder;
  private final Executor timerThread;

  /** The threads that read from sockets. */
  private final List<Executor> readers;

  private int sockets;
  private boolean paused;

  SimulatedProcess(Scheduler scheduler, SimulatedTime time, Random random) {
    this.scheduler = scheduler;
    this.time = time;
    this.random = random;
    this.anyOrder = scheduler.unordered(life);
    this.timerThread = thread();
    this.readers = List.of(thread(), thread(), thread());
  }

  /** Returns a new thread, which does one task after the other. */
  Executor thread() {
    PausableLoop loop = new PausableLoop(scheduler.serial(life), () -> paused);
    loops.add(loop);
    return loop;
  }

  /** Returns a thread that reads from a socket; it may read from others, too. */
  Executor reader() {
    return readers.get(sockets++ % readers.size());
  }

  /** Returns an executor that starts a thread for each task. */
  Executor threads() {
    return task ->
        anyOrder.execute(() -> {
          if (paused) {
            missed.add(task);
          } else {
            task.run();
          }
        });
  }

  Timers timers() {
    Timers real = time.timersOf(life);
    return (delay, task) -> real.after(delay, () -> timerThread.execute(task));
  }

  Random random() {
    return new Random(random.nextLong());
  }

  boolean isAlive() {
    return !life.hasEnded();
  }

  boolean isPaused() {
    return paused;
  }

  /** Acts when the process ends, however it does: the kernel closes its files. */
  void atEnd(Runnable task) {
    atEnd.add(task);
  }

  /** Ends the process at once. */
  void end() {
    if (isAlive()) {
      life.end();
      List.copyOf(atEnd).forEach(Runnable::run);
    }
  }

  /** Stands still until {@link #goOn}, as if it was stopped by a signal. */
  void pause() {
    paused = true;
  }

  void goOn() {
    if (paused) {
      paused = false;
      loops.forEach(PausableLoop::goOn);
      missed.forEach(task -> anyOrder.execute(task));
      missed.clear();
    }
  }

  /** Returns an environment for a control plane in this process. */
  ExecutionEnvironment environment() {
    return new Environment();
  }

  private static Runnable unlessEnded(Lifetime owner, Runnable task) {
    return () -> {
      if (!owner.hasEnded()) {
        task.run();
      }
    };
  }

  private final class Environment implements ExecutionEnvironment {
    private final Lifetime own = new Lifetime();

    @Override
    public Worker worker(String name) {
      Executor thread = thread();
      Lifetime ofWorker = new Lifetime();
      return new Worker() {
        @Override
        public void execute(Runnable task) {
          thread.execute(unlessEnded(ofWorker, task));
        }

        @Override
        public void close() {
          ofWorker.end();
        }
      };
    }

    @Override
    public Executor tasks() {
      return threads();
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
      Timers ofProcess = SimulatedProcess.this.timers();
      return (delay, task) -> ofProcess.after(delay, unlessEnded(own, task));
    }

    @Override
    public RandomGenerator random() {
      return SimulatedProcess.this.random();
    }

    @Override
    public void close() {
      own.end();
    }
  }
}
