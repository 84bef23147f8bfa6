package dev.stint.embedded;

import dev.stint.cluster.Timers;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** A thread for each worker, real time, and randomness that nobody can repeat. */
final class ThreadedEnvironment implements ExecutionEnvironment {
  private final ThreadTimers timers = new ThreadTimers();

  @Override
  public Worker worker(String name) {
    return new SerialExecutor(name);
  }

  @Override
  public InstantSource clock() {
    return InstantSource.system();
  }

  @Override
  public Timers timers() {
    return timers;
  }

  /** Fast, as it makes every name; seeded so that no two processes make the same. */
  @Override
  public RandomGenerator random() {
    return RandomGeneratorFactory.of("L128X256MixRandom")
        .create(new SecureRandom().generateSeed(32));
  }

  @Override
  public void close() {
    timers.close();
  }

  /** Daemon threads by name, so that a stack dump reads well and none keeps the process alive. */
  static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
