package dev.stint.embedded.benchmark;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends requests at an even rate, whatever the answers take. */
final class PacedRequests {
  private PacedRequests() {}

  /**
   * Sends one request after each gap, the first at once. Completes with all answers, or fails with
   * the first request that does; none is sent after that.
   */
  static <T> CompletableFuture<@Nullable Void> each(
      Collection<T> many,
      Duration gap,
      Timers timers,
      Function<T, ? extends CompletableFuture<?>> request) {
    CompletableFuture<@Nullable Void> failed = new CompletableFuture<>();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (T each : many) {
      CompletableFuture<Boolean> due = new CompletableFuture<>();
      timers.after(gap.multipliedBy(answers.size()), () -> due.complete(true));
      CompletableFuture<?> answer =
          due.<@Nullable Void>thenCompose(
              _ -> failed.isDone() ? failed : request.apply(each).thenApply(_ -> null));
      answers.add(
          answer.whenComplete((_, fault) -> {
            if (fault != null) {
              failed.completeExceptionally(fault);
            }
          }));
    }
    CompletableFuture<?> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    return CompletableFuture.anyOf(all, failed).thenApply(_ -> null);
  }
}
