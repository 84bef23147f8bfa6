package dev.stint.model.cron;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The time zones that a CronJob may name: those of the IANA database, by their exact names. Java
 * accepts further forms ({@code UTC+3}, {@code +03:00}), which a cluster would refuse.
 */
public final class TimeZones {
  private static final Set<String> KNOWN = ZoneId.getAvailableZoneIds();

  private static final List<String> COPIES = List.of("posix/", "right/");

  /** The names of the database that Java lacks. */
  private static final Map<String, ZoneId> OTHERS =
      Map.of(
          "GMT+0", ZoneOffset.UTC,
          "GMT-0", ZoneOffset.UTC,
          "ROC", ZoneId.of("Asia/Taipei"),
          "EST", ZoneId.of("America/Panama"),
          "MST", ZoneId.of("America/Phoenix"),
          "HST", ZoneId.of("Pacific/Honolulu"),
          "Factory", ZoneOffset.UTC);

  private TimeZones() {}

  /**
   * Returns the zone of that name, or null. Copies of the database under {@code posix/} and, with
   * leap seconds, {@code right/} are treated as the zones themselves.
   */
  public static @Nullable ZoneId find(String name) {
    for (String copy : COPIES) {
      if (name.startsWith(copy)) {
        return plain(name.substring(copy.length()));
      }
    }
    return plain(name);
  }

  private static @Nullable ZoneId plain(String name) {
    return KNOWN.contains(name) && !name.startsWith("SystemV/")
        ? ZoneId.of(name)
        : OTHERS.get(name);
  }
}
