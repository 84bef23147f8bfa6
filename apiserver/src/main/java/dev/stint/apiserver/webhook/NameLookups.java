package dev.stint.apiserver.webhook;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs steps that look names of hosts up. The look-up is native: nothing ends it, and it would hold
 * the carrier of a virtual thread, so that it has threads of its own, which may be waited for.
 */
final class NameLookups {
  private static final int THREADS = 4;
  private static final ThreadPoolExecutor POOL = pool();

  private NameLookups() {}

  private static ThreadPoolExecutor pool() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("webhook-lookup-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * Returns the result of a step.
   *
   * @param end when it is no longer waited for, as a value of {@link System#nanoTime}
   */
  static <T> T result(Callable<T> step, long end) throws WebhookException, InterruptedException {
    Future<T> result = POOL.submit(step);
    try {
      return result.get(RequestDeadline.left(end), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof WebhookException known
          ? known
          : new WebhookException(String.valueOf(failed.getCause()), failed);
    } catch (TimeoutException late) {
      throw new WebhookException("context deadline exceeded while looking up the host", late);
    } finally {
      result.cancel(true);
    }
  }
}
