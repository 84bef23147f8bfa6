package dev.stint.apiserver;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.apiserver.webhook.RequestDeadline;
import dev.stint.cluster.ClusterException;
import dev.stint.store.ClosedException;
import dev.stint.store.UnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Normalizes the failures of requests: futures fail with {@link ClusterException} and nothing else.
 */
final class ApiFutures {
  private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

  private ApiFutures() {}

  /**
   * Returns the answer of a request as a future; exceptions that the request throws become failures
   * of the future.
   */
  static <T extends @Nullable Object> CompletableFuture<T> answering(
      Supplier<CompletableFuture<T>> request) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      request
          .get()
          .whenComplete((value, failure) -> {
            if (failure == null) {
              answer.complete(value);
            } else {
              answer.completeExceptionally(translated(cause(failure)));
            }
          });
    } catch (RuntimeException failure) {
      answer.completeExceptionally(translated(failure));
    }
    return answer;
  }

  /**
   * Makes a request that depends on decisions of a strategy: in a thread of its own if they may
   * wait, since the calling one may be the loop of the store or of a controller.
   */
  static <T> CompletableFuture<T> deciding(
      Strategy strategy, Supplier<CompletableFuture<T>> request) {
    return strategy.mayWait()
        ? within(Thread::startVirtualThread, RequestDeadline.handedOver(request))
        : request.get();
  }

  /** Makes a request in an executor. */
  static <T> CompletableFuture<T> within(
      Executor executor, Supplier<CompletableFuture<T>> request) {
    return CompletableFuture.supplyAsync(request, executor).thenCompose(Function.identity());
  }

  private static ClusterException translated(Throwable failure) {
    return switch (failure) {
      case ClusterException known -> known;
      case UnavailableException down -> ApiErrors.unavailable(down);
      case ClosedException closed -> ApiErrors.unavailable(closed);
      case Throwable fault -> {
        LOG.error("Internal error while handling a request", fault);
        yield ApiErrors.internal(fault);
      }
    };
  }

  /** Returns the cause of a future's failure, without wrappers of later stages. */
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : failure;
  }
}
