package dev.stint.jobs;

import dev.stint.cluster.ClusterException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The edge where a thread that may wait, waits for what an API answers. */
public final class Answers {
  private Answers() {}

  /**
   * Waits for an answer.
   *
   * @throws ClusterException where it is a refusal
   */
  public static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException | CompletionException failure) {
      Throwable cause = ClusterException.causeOf(failure);
      if (cause instanceof ExecutionException wrapped && wrapped.getCause() != null) {
        cause = wrapped.getCause();
      }
      if (cause instanceof ClusterException refused) {
        throw refused;
      }
      throw new IllegalStateException(cause);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
