package dev.stint.controllers.job;

import dev.stint.reconcile.Informer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The lists that a controller requests of an informer, beside those that the informer makes by
 * itself. Requests that come soon one after the other are met by one list. A list that begins while
 * another one goes on takes its place.
 *
 * <p>Used on the event loop only.
 */
final class Relist {
  private final Informer informer;
  private final Executor soon;

  /** The end of the list that begins next. */
  private CompletableFuture<@Nullable Void> next = new CompletableFuture<>();

  /** The ends of the list that goes on, and of those in whose place it is. */
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
