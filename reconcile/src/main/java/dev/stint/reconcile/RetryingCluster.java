package dev.stint.reconcile;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Timers;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A rate-limited cluster that retries. It limits the requests per second and those in flight. Those
 * that wait are sent by their {@link Precedence}. Requests with a transient failure are retried
 * after an exponential back-off with jitter, and no sooner than the API asks for ({@code
 * Retry-After}). After the last try the failure goes to the caller.
 *
 * <p>Only repeatable requests are retried ({@link ClusterRequest#isRepeatable}); a refusal for too
 * many requests is always retried, since nothing was done. Watches are neither limited nor retried:
 * they are few, and resume by themselves.
 */
public final class RetryingCluster extends ForwardingCluster {
  /**
   * The limits.
   *
   * @param perSecond requests per second once the burst is used up; 0 for no limit
   * @param burst the number of requests that may come at once after a pause
   * @param mostAtOnce the maximum number of requests in flight
   * @param tries the maximum number of times that a request is sent
   * @param backoff the delays between tries; its longest is also the longest that the API may ask
   *     for
   */
  public record Options(
      double perSecond, int burst, int mostAtOnce, int tries, ExponentialBackoff backoff) {
    public static final Options DEFAULT =
        new Options(
            500,
            1000,
            64,
            5,
            new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(5)));
  }

  private final Options options;
  private final Timers timers;
  private final RandomGenerator random;
  private final RateLimiter limiter;

  /**
   * @param clock used for spans of time only
   * @param random for jitter; used by one thread at a time
   */
  public RetryingCluster(
      Cluster cluster,
      Options options,
      InstantSource clock,
      Timers timers,
      RandomGenerator random) {
    this(
        cluster,
        options,
        timers,
        random,
        new RateLimiter(options.perSecond(), options.burst(), options.mostAtOnce(), clock, timers));
  }

  private RetryingCluster(
      Cluster cluster,
      Options options,
      Timers timers,
      RandomGenerator random,
      RateLimiter limiter) {
    super(cluster);
    this.options = options;
    this.timers = timers;
    this.random = random;
    this.limiter = limiter;
  }

  /** Returns the same for another cluster: both share the limits. */
  public RetryingCluster over(Cluster other) {
    return new RetryingCluster(other, options, timers, random, limiter);
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> send(
      ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    send(new RetriedCall<>(sending, Precedence.of(request), request.isRepeatable(), 1, answer));
    return answer;
  }

  /**
   * Lists in parts. The list takes no place among the requests while a part is dealt with: that may
   * make requests itself, which would wait for the list's end and for ever.
   */
  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return super.list(
        kind,
        namespace,
        part -> {
          limiter.release();
          return ClusterRequests.NOTHING
              .thenCompose(_ -> each.apply(part).<@Nullable Void>thenApply(_ -> null))
              .whenComplete((_, _) -> limiter.resume());
        });
  }

  private record RetriedCall<T extends @Nullable Object>(
      Supplier<CompletableFuture<T>> request,
      Precedence precedence,
      boolean repeatable,
      int number,
      CompletableFuture<T> answer) {
    RetriedCall<T> next() {
      return new RetriedCall<>(request, precedence, repeatable, number + 1, answer);
    }
  }

  private <T extends @Nullable Object> void send(RetriedCall<T> attempt) {
    limiter.acquire(
        attempt.precedence(),
        () ->
            tryOnce(attempt)
                .whenComplete((value, failure) -> {
                  limiter.release();
                  if (failure == null) {
                    attempt.answer().complete(value);
                  } else {
                    onFailure(attempt, ClusterException.causeOf(failure));
                  }
                }));
  }

  private static <T extends @Nullable Object> CompletableFuture<T> tryOnce(RetriedCall<T> attempt) {
    try {
      return attempt.request().get();
    } catch (RuntimeException fault) {
      return CompletableFuture.failedFuture(fault);
    }
  }

  private <T extends @Nullable Object> void onFailure(RetriedCall<T> attempt, Throwable failure) {
    if (failure instanceof ClusterException refusal
        && attempt.number() < options.tries()
        && mayRepeat(attempt.repeatable(), refusal)) {
      timers.after(delay(attempt.number(), refusal), () -> send(attempt.next()));
    } else {
      attempt.answer().completeExceptionally(failure);
    }
  }

  private static boolean mayRepeat(boolean repeatable, ClusterException refusal) {
    return refusal.isTransient() && (repeatable || refusal.reason() == Reason.TOO_MANY_REQUESTS);
  }

  /** Returns the next delay of the back-off, no shorter than the API asks for, within a limit. */
  private Duration delay(int tries, ClusterException refusal) {
    Duration delay;
    synchronized (random) {
      delay = options.backoff().jittered(tries, random);
    }
    Duration asked = refusal.retryAfter();
    return asked == null ? delay : delay.plus(least(asked, options.backoff().max()));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
