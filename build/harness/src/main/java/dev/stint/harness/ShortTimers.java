package dev.stint.harness;

import dev.stint.cluster.Timers;
import java.time.Duration;

/** Timers that let who goes by the clock look at it every half minute, as those of threads do. */
public record ShortTimers(Timers timers) implements Timers {
  private static final Duration LOOK = Duration.ofSeconds(30);

  @Override
  public Runnable after(Duration delay, Runnable task) {
    return timers.after(delay, task);
  }

  @Override
  public Runnable within(Duration delay, Runnable task) {
    return after(delay.compareTo(LOOK) < 0 ? delay : LOOK, task);
  }
}
