package dev.stint.runner;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** A clock that stands until it is told to advance, and the timers that go with it. */
public final class FakeTimers implements Timers, InstantSource {
  private record Timer(Instant due, Duration delay, Runnable task) {}

  private final List<Timer> timers = new ArrayList<>();
  private Instant now;
  private Predicate<Duration> awaited = _ -> false;
  private CompletableFuture<Void> armed = new CompletableFuture<>();

  public FakeTimers(Instant now) {
    this.now = now;
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public synchronized Runnable after(Duration delay, Runnable task) {
    Timer timer = new Timer(now.plus(delay), delay, task);
    timers.add(timer);
    if (awaited.test(delay)) {
      armed.complete(null);
    }
    return () -> cancel(timer);
  }

  /** Completes when there is a timer of this delay. */
  public synchronized CompletableFuture<Void> whenArmed(Duration delay) {
    awaited = delay::equals;
    armed = new CompletableFuture<>();
    if (timers.stream().anyMatch(timer -> timer.delay().equals(delay))) {
      armed.complete(null);
    }
    return armed;
  }

  /** Lets time pass and runs what becomes due, in order. */
  public void advance(Duration by) {
    Instant end = instant().plus(by);
    Optional<Timer> next = takeDue(end);
    while (next.isPresent()) {
      next.get().task().run();
      next = takeDue(end);
    }
    synchronized (this) {
      now = end;
    }
  }

  private synchronized Optional<Timer> takeDue(Instant end) {
    Optional<Timer> next =
        timers.stream()
            .filter(timer -> !timer.due().isAfter(end))
            .min(Comparator.comparing(Timer::due));
    next.ifPresent(timer -> {
      timers.remove(timer);
      now = timer.due().isAfter(now) ? timer.due() : now;
    });
    return next;
  }

  private synchronized void cancel(Timer timer) {
    timers.remove(timer);
  }
}
