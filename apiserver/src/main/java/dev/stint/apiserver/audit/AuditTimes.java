package dev.stint.apiserver.audit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times in audit events, with microseconds. */
final class AuditTimes {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private AuditTimes() {}

  static String format(Instant time) {
    return MICROS.format(time);
  }
}
