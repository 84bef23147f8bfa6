package dev.stint.controllers.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a status write to others who use the API: the time that it takes longer than the
 * fastest write lately did. The way to the API, and what a write takes on an idle API, are no cost
 * by this measure, nor is a difference that says nothing. The fastest of the last few status writes
 * counts, so that one slow write shows nothing.
 */
final class WriteCost {
  private static final int LATEST = 4;
  private static final Duration CHANCE = Duration.ofMillis(5);

  /**
   * The fastest write is forgotten after one to two of these: the way to the API may have become
   * longer for good.
   */
  private static final Duration PERIOD = Duration.ofMinutes(30);

  private final Deque<Duration> latest = new ArrayDeque<>(LATEST);
  private long period;

  /** The fastest write in the period; null before the first one. */
  private @Nullable Duration fastest;

  /** The fastest write in the period before; null if there was none. */
  private @Nullable Duration before;

  /** Records the write of a status. */
  void onStatus(Instant sent, Instant answered) {
    if (compare(sent, answered)) {
      if (latest.size() == LATEST) {
        latest.removeFirst();
      }
      latest.addLast(Duration.between(sent, answered));
    }
  }

  /** Records another write: an idle API takes no longer for a status. */
  void onOther(Instant sent, Instant answered) {
    compare(sent, answered);
  }

  /** Returns false if the clock was set back meanwhile, so that the write shows nothing. */
  private boolean compare(Instant sent, Instant answered) {
    if (answered.isBefore(sent)) {
      return false;
    }
    long now = Math.floorDiv(answered.getEpochSecond(), PERIOD.toSeconds());
    if (now != period) {
      before = now == period + 1 ? fastest : null;
      fastest = null;
      period = now;
    }
    fastest = shorter(Duration.between(sent, answered), fastest);
    return true;
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) < 0 ? one : other;
  }

  /** Returns the cost of a status write now; zero until a few were made. */
  Duration now() {
    if (fastest == null || latest.size() < LATEST) {
      return Duration.ZERO;
    }
    Duration more = Collections.min(latest).minus(shorter(fastest, before)).minus(CHANCE);
    return more.isNegative() ? Duration.ZERO : more;
  }
}
