package dev.stint.controllers.job;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a status write to others who use the API: the time that it takes longer than the
 * fastest write did. The way to the API, and what a write takes on an idle API, are no cost by this
 * measure, nor is a difference that says nothing. The fastest of the last few status writes counts,
 * so that one slow write shows nothing.
 */
final class WriteCost {
  private static final int LATEST = 4;
  private static final Duration CHANCE = Duration.ofMillis(5);

  private final Deque<Duration> latest = new ArrayDeque<>(LATEST);
  private @Nullable Duration fastest;

  /** Records how long the write of a status took. */
  void record(Duration took) {
    if (took.isNegative()) {
      return; // The clock was set back.
    }
    compare(took);
    if (latest.size() == LATEST) {
      latest.removeFirst();
    }
    latest.addLast(took);
  }

  /** Records how long another write took: an idle API takes no longer for a status. */
  void compare(Duration took) {
    if (took.isNegative()) {
      return;
    }
    fastest = fastest == null || took.compareTo(fastest) < 0 ? took : fastest;
  }

  /** Returns the cost of a status write now; zero until a few were made. */
  Duration now() {
    if (fastest == null || latest.size() < LATEST) {
      return Duration.ZERO;
    }
    Duration more = Collections.min(latest).minus(fastest).minus(CHANCE);
    return more.isNegative() ? Duration.ZERO : more;
  }
}
