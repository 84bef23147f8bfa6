package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "0.5, 500m",
    "1500m, 1500m",
    "1000m, 1",
    "1000, 1k",
    "1024Mi, 1Gi",
    "0.5Gi, 512Mi",
    "1.5Mi, 1536Ki",
    "1023, 1023",
    "512Ki, 512Ki",
    "0.5Ki, 512",
    "1e3, 1e3",
    "1000e0, 1e3",
    "12E6, 12e6",
    "1E, 1E",
    "1Ei, 1Ei",
    "0.5Ei, 512Pi",
    "-5m, -5m",
    "+5, 5",
    ".5, 500m",
    "5., 5",
    "1n, 1n",
    "0.1n, 1n",
    "1000000k, 1G",
    "100k, 100k",
    "0Mi, 0"
  })
  void anAmountHasOneWayToBeWritten(String written, String canonical) {
    Quantity quantity = Quantity.parse(written);
    assertThat(quantity).isNotNull();
    assertThat(quantity.canonical()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "abc", "1 ", "1Kb", "1ki", "--1", "1..0", "1e", "e3", "1e30000", "0x1", "Ki", "1eJ",
        "1ei"
      })
  void otherTextIsNone(String text) {
    assertThat(Quantity.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "' 1', 1",
    "'1 ', 1",
    "0.5, 500m",
    "1e0, 1e0",
    "1E0, 1E0",
    "10e-1, 1",
    "1e1, 10",
    "1e400, 10e399",
    "9223372036854775808, 9223372036854775808",
    "99999999999999999999999, 99999999999999999999999",
    "100000000000000000000, 100E",
    "8Ei, 9223372036854775807",
    "1.5m, 1500u",
    "0.1n, 1n",
    "-0, 0"
  })
  void aRequestMayWriteItInManyWays(String written, String canonical) {
    assertThat(Quantity.canonical(written)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "1 Gi", "x", "1e30000"})
  void whatIsNoAmountHasNoCanonicalForm(String text) {
    assertThat(Quantity.canonical(text)).isNull();
  }

  @Test
  void theCanonicalFormMeansTheSameAndIsItsOwn() {
    Random random = new Random(42);
    String[] suffixes = {"", "m", "k", "M", "Ki", "Mi", "Gi", "e3", "u", "n"};
    for (int i = 0; i < 5000; i++) {
      String text =
          random.nextInt(100_000)
              + (random.nextBoolean() ? "." + random.nextInt(1000) : "")
              + suffixes[random.nextInt(suffixes.length)];
      Quantity quantity = Quantity.parse(text);
      assertThat(quantity).as(text).isNotNull();
      Quantity again = Quantity.parse(quantity.canonical());
      assertThat(again).as(text).isNotNull();
      assertThat(again.value()).as(text).isEqualByComparingTo(quantity.value());
      assertThat(again.canonical()).as(text).isEqualTo(quantity.canonical());
    }
  }

  @Test
  void aQuantityThatCouldNotBeReadBackIsRefused() {
    assertThat(Quantity.canonical("1000e9999")).isNull();
    assertThat(Quantity.canonical("9".repeat(398) + ".5")).isNull();
    assertThat(Quantity.canonical("9".repeat(397) + "m")).isEqualTo("9".repeat(397) + "m");
    assertThat(Quantity.canonical("1e9999")).isEqualTo("1e9999");
    assertThat(Quantity.canonical("1.953125Ki")).isEqualTo("2000");
  }

  @Test
  void aSumThatCouldNotBeReadBackIsUnreadable() {
    Quantity one = Quantity.parse("1");
    Quantity large = Quantity.parse("1e9999");
    assertThat(one).isNotNull();
    assertThat(large).isNotNull();
    assertThat(one.plus(large).readable()).isNull();
    assertThat(one.plus(one).readable()).isEqualTo("2");
  }

  @Test
  void everyCanonicalFormCanBeReadAgainAndMeansTheSame() {
    long seed = 63;
    Random random = new Random(seed);
    String[] suffixes = {"", "n", "u", "m", "k", "G", "E", "Ki", "Mi", "Ei", "e0", "E1", "e-9"};
    for (int i = 0; i < 20_000; i++) {
      String text =
          (random.nextInt(4) == 0 ? "-" : "")
              + digits(random)
              + (random.nextBoolean() ? "." + digits(random) : "")
              + (random.nextInt(3) == 0
                  ? "e" + (random.nextInt(20_100) - 10_050)
                  : suffixes[random.nextInt(suffixes.length)]);
      String canonical = Quantity.canonical(text);
      if (canonical != null) {
        String again = Quantity.canonical(canonical);
        assertThat(again).as("seed %d: %s", seed, text).isNotNull();
        assertThat(Quantity.parse(canonical))
            .as("seed %d: %s", seed, text)
            .isEqualByComparingTo(Quantity.parse(again));
      }
    }
  }

  /** Returns an amount with mostly few digits, sometimes the maximum; often with trailing zeros. */
  private static String digits(Random random) {
    int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 400 : 12);
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < length; i++) {
      digits.append(random.nextInt(3) == 0 ? 0 : random.nextInt(10));
    }
    return digits.toString();
  }

  @Test
  void amountsAreComparedByWhatTheyMean() {
    Quantity half = Quantity.parse("500m");
    Quantity same = Quantity.parse("0.5");
    assertThat(half).isNotNull();
    assertThat(same).isNotNull();
    assertThat(half.compareTo(same)).isZero();
    assertThat(half.isWhole()).isFalse();
    assertThat(half.isNegative()).isFalse();
    assertThat(half.value().doubleValue()).isEqualTo(0.5, within(0.0));
  }
}
