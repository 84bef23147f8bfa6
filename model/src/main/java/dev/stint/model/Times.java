package dev.stint.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Points in time as Kubernetes writes them: UTC, whole seconds, {@code 2026-01-31T12:00:00Z}. */
public final class Times {
  private Times() {}

  /** The text of a time, cut to whole seconds. */
  public static String format(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Reads an RFC 3339 time; null for null and for text that is no time. */
  public static @Nullable Instant parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return text.endsWith("Z") ? Instant.parse(text) : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException notATime) {
      return null;
    }
  }
}
