package dev.stint.model.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageWordsTest {
  @Test
  void goEscapesQuotesAndControls() {
    assertThat(MessagePhrases.goQuoted("a\"\\\n\u0001ü")).isEqualTo("\"a\\\"\\\\\\n\\x01ü\"");
  }
}
