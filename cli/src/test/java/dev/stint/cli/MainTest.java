package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
  @ParameterizedTest
  @CsvSource({
    "run --max-pods up, run",
    "-v run, run",
    "--verbose -v up -v, up",
    "--version, ''",
    "'', ''",
  })
  void theCommandIsTheFirstWordThatIsNoFlag(String words, String verb) {
    assertThat(Main.verb(words.split(" "))).isEqualTo(verb);
  }
}
