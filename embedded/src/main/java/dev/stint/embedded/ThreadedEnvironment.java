package dev.stint.embedded;

import dev.stint.cluster.Timers;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** An execution environment with a thread per worker, real time, and unrepeatable randomness. */
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

  /**
   * Returns a fast generator, as it makes every name, seeded so that no two processes make the same
   * names.
   */
  @Override
  public RandomGenerator random() {
    return RandomGeneratorFactory.of("L128X256MixRandom")
        .create(new SecureRandom().generateSeed(32));
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
