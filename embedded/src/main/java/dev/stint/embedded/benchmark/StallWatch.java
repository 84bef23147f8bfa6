package dev.stint.embedded.benchmark;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ends a benchmark in which nothing happens any more, and says what it was waiting for. */
final class StallWatch {
  private final Timers timers;
  private final Duration patience;
  private final LongSupplier progress;
  private final Supplier<CompletableFuture<String>> situation;
  private final CompletableFuture<@Nullable Void> stalled = new CompletableFuture<>();

  /**
   * @param patience how long nothing may happen
   * @param progress changes whenever something happens
   * @param situation describes what is waited for
   */
  StallWatch(
      Timers timers,
      Duration patience,
      LongSupplier progress,
      Supplier<CompletableFuture<String>> situation) {
    this.timers = timers;
    this.patience = patience;
    this.progress = progress;
    this.situation = situation;
  }

  /** Fails when nothing has happened for too long; otherwise never completes. */
  CompletableFuture<@Nullable Void> stalled() {
    return stalled;
  }

  /** Begins to look. */
  void start() {
    lookAgain(progress.getAsLong());
  }

  private void lookAgain(long before) {
    timers.after(patience, () -> look(before));
  }

  private void look(long before) {
    long now = progress.getAsLong();
    if (now != before) {
      lookAgain(now);
      return;
    }
    situation
        .get()
        .exceptionally(refused -> "the API does not answer: " + refused.getMessage())
        .thenAccept(words ->
            stalled.completeExceptionally(
                new StalledException(
                    "nothing has happened for %d s: %s".formatted(patience.toSeconds(), words))));
  }
}
