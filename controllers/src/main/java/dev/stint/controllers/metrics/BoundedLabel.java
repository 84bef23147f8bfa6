package dev.stint.controllers.metrics;

import java.util.HashSet;
import java.util.Set;

/**
 * A label whose values users choose. A series is kept for as long as the process lives, so only the
 * first values have one of their own. Thread-safe.
 */
final class BoundedLabel {
  /** Far more controllers than a cluster has, and few enough to be scraped each time. */
  static final int MOST = 100;

  /** The value of all others. */
  static final String OTHER = "other";

  private final Set<String> own = new HashSet<>();

  /** Returns a value itself, or {@link #OTHER} if too many came before it. */
  synchronized String of(String value) {
    boolean hasItsOwn = own.contains(value) || own.size() < MOST && own.add(value);
    return hasItsOwn ? value : OTHER;
  }
}
