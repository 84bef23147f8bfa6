package dev.stint.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeFormatTest {
  @ParameterizedTest
  @CsvSource({
    "PT-5S, <invalid>",
    "PT-1S, 0s",
    "PT0S, 0s",
    "PT119S, 119s",
    "PT120S, 2m",
    "PT123S, 2m3s",
    "PT9M59S, 9m59s",
    "PT10M1S, 10m",
    "PT179M, 179m",
    "PT3H, 3h",
    "PT3H4M5S, 3h4m",
    "PT8H30M, 8h",
    "PT47H59M, 47h",
    "P2D, 2d",
    "P2DT5H, 2d5h",
    "P8DT5H, 8d",
    "P400D, 400d",
    "P730D, 2y",
    "P830D, 2y100d",
    "P3000D, 8y"
  })
  void readsAsKubectlWritesIt(Duration duration, String text) {
    assertThat(AgeFormat.human(duration)).isEqualTo(text);
  }

  @Test
  void saysSoWhereNobodyKnows() {
    assertThat(AgeFormat.since((Instant) null, Instant.EPOCH)).isEqualTo("<unknown>");
  }
}
