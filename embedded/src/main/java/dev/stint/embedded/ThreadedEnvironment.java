package dev.stint.embedded;

import dev.stint.cluster.SteadyClock;
import dev.stint.cluster.Timers;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/** An execution environment with a thread per worker, real time, and unrepeatable randomness. */
final class ThreadedEnvironment implements ExecutionEnvironment {
  private final ThreadTimers timers = new ThreadTimers();
  private final InstantSource steady = new SteadyClock();

  @Override
  public Worker worker(String name) {
    return new SerialExecutor(name);
  }

  @Override
  public Executor tasks() {
    return Thread::startVirtualThread;
  }

  @Override
  public InstantSource clock() {
    return InstantSource.system();
  }

  @Override
  public InstantSource steady() {
    return steady;
  }

  @Override
  public Timers timers() {
    return timers;
  }

  @Override
  public RandomGenerator random() {
    return RandomGenerators.unpredictable();
  }

  @Override
  public void close() {
    timers.close();
  }

  /**
   * Returns a factory of named daemon threads: names make thread dumps readable, and daemons do not
   * keep the process alive.
   */
  static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
