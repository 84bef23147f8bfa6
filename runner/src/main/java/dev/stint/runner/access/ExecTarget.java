package dev.stint.runner.access;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/** A command beside a container's own. Closing it lets go of it, and ends it where that can be. */
public interface ExecTarget extends AutoCloseable {
  /** What it prints; on a terminal, all of it. */
  InputStream stdout();

  /** Empty on a terminal. */
  InputStream stderr();

  /** Where its input comes from; closing it tells that there is no more. */
  OutputStream stdin();

  /** Completes with its exit code; 128 + n for signal n. */
  CompletableFuture<Integer> exitCode();

  /** Sets the size of its terminal, where it has one. Best effort. */
  void resize(int columns, int rows);

  @Override
  void close();
}
