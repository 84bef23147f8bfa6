package dev.stint.embedded;

import dev.stint.cluster.Timers;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What a control plane runs on: who does its work, by which clock, and where its randomness comes
 * from. Threads and the clock on the wall, or a simulation of both. Belongs to one control plane,
 * which closes it.
 */
public interface ExecutionEnvironment extends AutoCloseable {
  /** A serial executor. */
  interface Worker extends Executor, AutoCloseable {
    /** Runs no more tasks than were handed in so far, if those. */
    @Override
    void close();
  }

  /**
   * Somebody who does one task after the other.
   *
   * @param name for people who look at threads
   */
  Worker worker(String name);

  InstantSource clock();

  Timers timers();

  /** A generator of its own for each who asks; used by one thread at a time. */
  RandomGenerator random();

  /** No timer goes off any more. */
  @Override
  void close();
}
