package dev.stint.testkit.time;

import dev.stint.cluster.ClusterException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Blocks until an answer arrives. */
public final class BlockingAnswers {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  private BlockingAnswers() {}

  /** Returns an API's answer; throws its {@link ClusterException} if the API refuses. */
  public static <T extends @Nullable Object> T of(CompletableFuture<T> request) {
    return within(ANSWER_TIMEOUT, request, "the API did not answer");
  }

  /**
   * Returns an answer that is expected soon.
   *
   * @param otherwise the failure message if it does not arrive
   */
  public static <T extends @Nullable Object> T within(
      Duration patience, CompletableFuture<T> request, String otherwise) {
    try {
      return request.copy().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).join();
    } catch (CompletionException failure) {
      switch (ClusterException.causeOf(failure)) {
        case ClusterException refusal -> throw refusal;
        case TimeoutException late ->
            throw new AssertionError(otherwise + " within " + patience.toSeconds() + " s", late);
        default -> throw failure;
      }
    }
  }
}
