package dev.stint.controllers.job;

import dev.stint.reconcile.Informer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The lists that a controller requests of an informer, beside those that the informer makes by
 * itself. One list serves all requests that come within a short time. A list that begins while
 * another one runs replaces it.
 *
 * <p>Used on the event loop only.
 */
final class Relist {
  private final Informer informer;
  private final Executor soon;

  /** Completed when the next list ends. */
  private CompletableFuture<@Nullable Void> next = new CompletableFuture<>();

  /**
   * Completed when the running list ends: its own requests, and those of lists that it replaced.
   */
  private final List<CompletableFuture<@Nullable Void>> begun = new ArrayList<>();

  private boolean requested;

  /**
   * @param soon runs a task on the event loop after the time in which requests are collected
   */
  Relist(Informer informer, Executor soon) {
    this.informer = informer;
    this.soon = soon;
  }

  /**
   * Requests a list that begins after this call, but soon.
   *
   * @return completes at its end
   */
  CompletableFuture<@Nullable Void> request() {
    if (!requested) {
      requested = true;
      soon.execute(() -> {
        if (requested) {
          begin();
        }
      });
    }
    return next;
  }

  /**
   * Begins a list now.
   *
   * @return completes at its end
   */
  CompletableFuture<@Nullable Void> begin() {
    requested = false;
    CompletableFuture<@Nullable Void> end = next;
    next = new CompletableFuture<>();
    begun.add(end);
    informer.start();
    return end;
  }

  /** Records the end of a list, after all of its objects were reported. */
  void onEnd() {
    List<CompletableFuture<@Nullable Void>> ended = List.copyOf(begun);
    begun.clear();
    ended.forEach(end -> end.complete(null));
  }
}
