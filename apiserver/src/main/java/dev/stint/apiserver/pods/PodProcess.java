package dev.stint.apiserver.pods;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/** A command that runs in a container, or the container's own. Closing it ends the former. */
public interface PodProcess extends AutoCloseable {
  /** What it prints; at its end once the process has ended. */
  InputStream stdout();

  /** As {@link #stdout}; empty on a terminal. */
  InputStream stderr();

  /** Gives it input. Waits until it takes it; fails where it takes none any more. */
  void write(byte[] input) throws IOException;

  /** Tells it that there is no more input. */
  void endInput();

  /** Tells it the size of its terminal, as far as that can be done. */
  void resize(int columns, int rows);

  /** Completes with its exit code. */
  CompletableFuture<Integer> exitCode();

  @Override
  void close();
}
