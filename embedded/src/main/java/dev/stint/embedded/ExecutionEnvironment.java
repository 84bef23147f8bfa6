package dev.stint.embedded;

import dev.stint.cluster.Timers;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The execution environment of a control plane: its workers, its clock and its randomness. Either
 * threads and real time, or a simulation of both. One control plane owns it, and closes it.
 */
public interface ExecutionEnvironment extends AutoCloseable {
  /** A serial executor. */
  interface Worker extends Executor, AutoCloseable {
    /** Accepts no more tasks; those already handed in may be dropped. */
    @Override
    void close();
  }

  /**
   * Returns a new serial worker.
   *
   * @param name shown in thread dumps
   */
  Worker worker(String name);

  /**
   * Returns an executor for tasks that depend on no order and must not hold up a worker. A
   * simulation may run them at once.
   */
  Executor tasks();

  InstantSource clock();

  /** Returns the time that the timers go by, which nobody sets: see {@code EventLoop}. */
  InstantSource steady();

  Timers timers();

  /** Returns a new generator for each caller; one thread at a time may use it. */
  RandomGenerator random();

  /** Stops all timers. */
  @Override
  void close();
}
