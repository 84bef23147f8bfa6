package dev.stint.bench.robustness;

import java.io.IOException;
import java.util.random.RandomGenerator;

/** A server that can be killed and started again on the same data. */
interface TestedServer extends AutoCloseable {

  /** Starts it, and returns once it answers. */
  void start() throws IOException, InterruptedException;

  /** Ends it without a warning, and returns once it is dead. */
  void kill();

  boolean isAlive();

  boolean supports(FaultKind kind);

  /**
   * Makes something go wrong, and returns when the server answers again.
   *
   * @throws IOException it does not start again
   */
  void inject(FaultKind kind, RandomGenerator random) throws IOException, InterruptedException;

  /** Returns a new client. */
  TestedApi connect() throws IOException;

  @Override
  void close();
}
