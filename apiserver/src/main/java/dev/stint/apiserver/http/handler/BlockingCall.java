package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.http.PendingWrites;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Blocks the thread of a request until an asynchronous result arrives. */
public final class BlockingCall {
  private static final long SECONDS = 60;

  private BlockingCall() {}

  /** Returns the result. Throws the failure of the future, or {@code TIMEOUT} after a minute. */
  public static <T extends @Nullable Object> T on(CompletableFuture<T> future)
      throws ClusterException {
    if (!future.isDone()) {
      PendingWrites.waitsFor(future);
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
          Reason.TIMEOUT,
          "the request did not finish within " + SECONDS + " s; it may still succeed");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new ClusterException(Reason.UNAVAILABLE, "the server is shutting down");
    }
  }
}
