package dev.stint.runner.volume;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Measures the volumes of pods on a few threads of its own: a volume may hold millions of files,
 * and reading them would pin the carriers of virtual threads.
 */
public final class SizeChecks implements AutoCloseable {
  private static final int THREADS = 2;

  /** A check of one pod. */
  @FunctionalInterface
  public interface Check {
    /** Describes the volume that exceeds its limit; empty if none does. */
    Optional<String> run() throws IOException;
  }

  private final ExecutorService threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("stint-sizes-", 0).factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  /** Runs a check after those before it. */
  public CompletableFuture<Optional<String>> run(Check check) {
    CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
    threads.execute(() -> {
      try {
        answer.complete(check.run());
      } catch (IOException | RuntimeException fault) {
        answer.completeExceptionally(fault);
      }
    });
    return answer;
  }

  /** Drops the checks that have not begun. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
