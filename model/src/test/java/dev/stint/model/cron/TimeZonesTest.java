package dev.stint.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeZonesTest {
  private static final Instant JULY = Instant.parse("2026-07-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "Europe/Zurich, 2",
    "EST, -5",
    "MST, -7",
    "HST, -10",
    "ROC, 8",
    "GMT-0, 0",
    "Factory, 0",
    "Etc/GMT+2, -2",
    "posix/Europe/Zurich, 2",
    "right/EST, -5"
  })
  void everyNameOfTheDatabaseIsKnown(String name, long hours) {
    ZoneId zone = Objects.requireNonNull(TimeZones.find(name));
    assertThat(zone.getRules().getOffset(JULY).getTotalSeconds())
        .isEqualTo(Duration.ofHours(hours).toSeconds());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC+3",
        "+03:00",
        "europe/zurich",
        "SystemV/PST8",
        "Mars/Base",
        "Z",
        "posix/",
        "posix/right/UTC"
      })
  void otherWaysToWriteAZoneAreNot(String name) {
    assertThat(TimeZones.find(name)).isNull();
  }
}
