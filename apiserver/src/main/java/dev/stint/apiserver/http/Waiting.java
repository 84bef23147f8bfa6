package dev.stint.apiserver.http;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The edge where a request's own thread waits for what is carried out elsewhere. */
final class Waiting {
  private static final long SECONDS = 60;

  private Waiting() {}

  /** The result. Throws what the future failed with, {@code TIMEOUT} after a minute. */
  static <T extends @Nullable Object> T on(CompletableFuture<T> future) throws ClusterException {
    if (!future.isDone()) {
      Unanswered.waitsFor(future);
    }
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      Throwable cause =
          ClusterException.causeOf(failed.getCause() == null ? failed : failed.getCause());
      throw cause instanceof ClusterException known
          ? known
          : new ClusterException(
              Reason.INTERNAL, "Internal error occurred: " + cause, List.of(), cause);
    } catch (TimeoutException late) {
      throw new ClusterException(
          Reason.TIMEOUT, "the request did not end within " + SECONDS + " s; it may yet succeed");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new ClusterException(Reason.UNAVAILABLE, "the server is stopping");
    }
  }
}
