package dev.stint.apiserver.pods;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/**
 * A command in a container, or the container's own process. Closing this ends the former, not the
 * latter.
 */
public interface PodProcess extends AutoCloseable {
  /** Returns its output; the stream ends when the process has ended. */
  InputStream stdout();

  /** Returns its error output, like {@link #stdout}; empty on a terminal. */
  InputStream stderr();

  /** Writes input. Blocks until the process reads it; fails if it has closed its input. */
  void write(byte[] input) throws IOException;

  /** Closes its input. */
  void endInput();

  /** Sets the size of its terminal, if it has one that can be resized. */
  void resize(int columns, int rows);

  /** Completes with its exit code. */
  CompletableFuture<Integer> exitCode();

  @Override
  void close();
}
