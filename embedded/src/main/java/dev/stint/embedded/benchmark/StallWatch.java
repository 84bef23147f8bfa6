package dev.stint.embedded.benchmark;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what a benchmark waits for in which nothing happens any more, and ends it if that stays so.
 */
final class StallWatch {
  /** The number of looks at which a benchmark in which nothing happens is ended. */
  private static final int LOOKS = 6;

  private final Timers timers;
  private final Duration patience;
  private final LongSupplier progress;
  private final Supplier<CompletableFuture<String>> situation;
  private final Consumer<String> told;
  private final CompletableFuture<@Nullable Void> stalled = new CompletableFuture<>();

  /**
   * @param patience how long nothing may happen
   * @param progress changes whenever something happens
   * @param situation describes what is waited for
   * @param told receives a line for the user, before the end
   */
  StallWatch(
      Timers timers,
      Duration patience,
      LongSupplier progress,
      Supplier<CompletableFuture<String>> situation,
      Consumer<String> told) {
    this.timers = timers;
    this.patience = patience;
    this.progress = progress;
    this.situation = situation;
    this.told = told;
  }

  /** Fails when nothing has happened for too long; otherwise never completes. */
  CompletableFuture<@Nullable Void> stalled() {
    return stalled;
  }

  /** Begins to look. */
  void start() {
    lookAgain(progress.getAsLong(), 0);
  }

  private void lookAgain(long before, int idle) {
    timers.after(patience.dividedBy(LOOKS), () -> look(before, idle + 1));
  }

  private void look(long before, int idle) {
    long now = progress.getAsLong();
    if (now != before) {
      lookAgain(now, 0);
      return;
    }
    if (idle < LOOKS) {
      lookAgain(now, idle);
    }
    if (idle == 1 || idle == LOOKS) {
      tell(idle);
    }
  }

  private void tell(int idle) {
    long seconds = patience.multipliedBy(idle).dividedBy(LOOKS).toSeconds();
    situation
        .get()
        .exceptionally(refused -> "the API does not answer: " + refused.getMessage())
        .thenApply(words -> "nothing has happened for %d s: %s".formatted(seconds, words))
        .thenAccept(line -> {
          if (idle == LOOKS) {
            stalled.completeExceptionally(new StalledException(line));
          } else {
            told.accept(line);
          }
        });
  }
}
