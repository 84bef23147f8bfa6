package dev.stint.runner.access;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/**
 * A further command that runs in a container, such as one of {@code kubectl exec}. Closing it
 * releases it, and ends it if possible.
 */
public interface ExecTarget extends AutoCloseable {
  /** Returns its standard output; on a terminal, all of its output. */
  InputStream stdout();

  /** Returns its standard error; empty on a terminal. */
  InputStream stderr();

  /** Returns its standard input; closing it signals the end of input. */
  OutputStream stdin();

  /** Completes with its exit code; 128 + n for signal n. */
  CompletableFuture<Integer> exitCode();

  /** Resizes its terminal, if it has one. Best effort. */
  void resize(int columns, int rows);

  @Override
  void close();
}
