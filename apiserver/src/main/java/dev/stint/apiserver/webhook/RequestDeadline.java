package dev.stint.apiserver.webhook;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time that one request may spend with webhooks, however many it calls: a slow one that answers
 * each call in time would hold a request as often as it is called.
 */
public final class RequestDeadline {
  private static final Duration REQUEST = Duration.ofSeconds(60);

  /** The value of {@link System#nanoTime} at the end. */
  private static final ScopedValue<Long> END = ScopedValue.newInstance();

  private RequestDeadline() {}

  /** Makes a request, or a part of one that is under way and keeps its deadline. */
  public static <T, X extends Throwable> T within(ScopedValue.CallableOp<? extends T, X> request)
      throws X {
    return END.isBound() ? request.call() : within(REQUEST, request);
  }

  static <T, X extends Throwable> T within(
      Duration time, ScopedValue.CallableOp<? extends T, X> request) throws X {
    return ScopedValue.where(END, System.nanoTime() + time.toNanos()).call(request);
  }

  /** Returns a request with the deadline of this thread, for another thread. */
  public static <T> Supplier<T> handedOver(Supplier<T> request) {
    if (!END.isBound()) {
      return request;
    }
    long end = END.get();
    return () -> ScopedValue.where(END, end).call(request::get);
  }

  /** Returns the end of a step, as a value of {@link System#nanoTime}. */
  public static long of(Duration step) {
    long now = System.nanoTime();
    long end = now + step.toNanos();
    return END.isBound() ? now + Math.min(END.get() - now, end - now) : end;
  }

  /** Returns the nanoseconds until an end; 0 if it has passed. */
  public static long left(long end) {
    return Math.max(0, end - System.nanoTime());
  }
}
