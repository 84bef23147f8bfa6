package dev.stint.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationConverterTest {
  @ParameterizedTest
  @CsvSource({
    "90s, PT1M30S",
    "5m, PT5M",
    "1h30m, PT1H30M",
    "7d, PT168H",
    "500ms, PT0.5S",
    "1.5h, PT1H30M",
    "0s, PT0S",
    "1h1m1s1ms, PT1H1M1.001S"
  })
  void readsDurationsWithUnits(String text, Duration expected) {
    assertThat(DurationConverter.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-5s", "5 s", "5w", "5S", "1h30", "1e3s", "5s,"})
  void refusesInvalidDurationsAndMissingUnits(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationConverter.parse(text))
        .withMessageContaining("\"" + text + "\"")
        .withMessageContaining("1h30m");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, <1s",
    "PT0.0005S, 0s",
    "PT0.042S, 42ms",
    "PT0.999S, 999ms",
    "PT1S, 1s",
    "PT1.26S, 1.2s",
    "PT12.4S, 12s"
  })
  void formatsSpansBelowASecond(Duration span, String expected) {
    assertThat(DurationConverter.took(span)).isEqualTo(expected);
  }

  @Test
  void readsWhatItWrites() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      Duration span = Duration.ofMillis(random.nextLong(1L << random.nextInt(1, 40)));
      assertThat(DurationConverter.parse(DurationConverter.format(span)))
          .as("seed %d", seed)
          .isEqualTo(span);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT0.999S, 0s",
    "PT12.4S, 12s",
    "PT2M5S, 2m5s",
    "PT1H30M59S, 1h30m",
    "PT50H, 50h"
  })
  void formatsBriefDurations(Duration span, String expected) {
    assertThat(DurationConverter.brief(span)).isEqualTo(expected);
  }
}
