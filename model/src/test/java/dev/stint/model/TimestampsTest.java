package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  @Test
  void writtenTimesAreReadBack() {
    long seed = 20;
    new Random(seed)
        .longs(2000, Instant.parse("0000-01-01T00:00:00Z").getEpochSecond(), 253402300799L)
        .mapToObj(Instant::ofEpochSecond)
        .forEach(time ->
            assertThat(Timestamps.parse(Timestamps.format(time)))
                .as("seed %d", seed)
                .isEqualTo(time));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-02-29T23:59:59.999999999Z",
        "1969-12-31T23:59:59.5Z",
        "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
        "-0001-12-31T23:59:59Z",
        "+10000-01-01T00:00:00Z",
        "+1000000000-12-31T23:59:59.999999999Z",
        "-1000000000-01-01T00:00:00Z"
      })
  void anyTimeIsWrittenInWholeSeconds(String text) {
    Instant time = Instant.parse(text);
    assertThat(Timestamps.format(time)).isEqualTo(time.truncatedTo(ChronoUnit.SECONDS).toString());
    assertThat(Timestamps.parse(Timestamps.formatMillis(time)))
        .isEqualTo(time.truncatedTo(ChronoUnit.MILLIS));
  }

  @ParameterizedTest
  @CsvSource({
    "2020-01-01T00:00:00Z, 2020-01-01T00:00:00Z",
    "2020-01-01T00:00:00.5Z, 2020-01-01T00:00:00.5Z",
    "2020-01-01T00:00:00.1234567+02:00, 2019-12-31T22:00:00.1234567Z",
    "2020-01-01T00:00:00.1234567891Z, 2020-01-01T00:00:00.123456789Z",
    "2020-01-01T00:00:00-23:30, 2020-01-01T23:30:00Z",
    "2020-01-01t00:00:00Z,",
    "2020-01-01T00:00:00z,",
    "2020-01-01T00:00Z,",
    "2020-01-01T00:00:00,",
    "2020-01-01,",
    "2020-13-01T00:00:00Z,",
    "2021-02-29T00:00:00Z,",
    "2020-01-01T24:00:00Z,",
    "2020-01-01T00:00:60Z,",
    "2020-01-01T00:00:00+25:00,",
    "+12020-01-01T00:00:00Z,",
    "9999-12-31T23:59:59.999999999Z, 9999-12-31T23:59:59.999999999Z",
    "9999-12-31T23:59:59+00:01, 9999-12-31T23:58:59Z",
    "9999-12-31T23:59:59-00:01,",
    "9999-12-31T23:59:59-23:00,",
    "0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z",
    "0000-01-01T00:00:00+00:01,"
  })
  void theApiTakesOneForm(String text, @Nullable Instant time) {
    assertThat(Timestamps.parseStrictly(text, false)).isEqualTo(time);
  }

  @ParameterizedTest
  @CsvSource({
    "2020-01-01T00:00:00.123456Z, 2020-01-01T00:00:00.123456Z",
    "2020-01-01T00:00:00.000000+01:00, 2019-12-31T23:00:00Z",
    "2020-01-01T00:00:00Z,",
    "2020-01-01T00:00:00.5Z,",
    "2020-01-01T00:00:00.1234567Z,"
  })
  void aMicroTimeHasSixDigits(String text, @Nullable Instant time) {
    assertThat(Timestamps.parseStrictly(text, true)).isEqualTo(time);
  }

  @Test
  void otherWaysToWriteATimeAreRead() {
    Instant time = Instant.parse("2026-01-31T12:00:00Z");
    assertThat(Timestamps.parse("2026-01-31T13:00:00+01:00")).isEqualTo(time);
    assertThat(Timestamps.parse("2026-01-31T12:00:00.000Z")).isEqualTo(time);
    assertThat(Timestamps.parse("2026-01-31t12:00:00Z")).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-02-30T12:00:00Z",
        "2026-01-31T25:00:00Z",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:0aZ"
      })
  void textThatIsNoTimeIsNull(String text) {
    assertThat(Timestamps.parse(text)).isNull();
  }
}
