package dev.stint.model.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void goEscapesQuotesAndControls() {
    assertThat(Words.goQuoted("a\"\\\n\u0001ü")).isEqualTo("\"a\\\"\\\\\\n\\x01ü\"");
  }
}
