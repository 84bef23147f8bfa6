package dev.stint.model.item;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ItemTextTest {
  @Test
  void validTextIsItself() {
    String text = "plain, café, 日本, \uD83D\uDE00";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(ItemText.of(bytes)).isEqualTo(text);
    assertThat(ItemText.bytes(text)).isEqualTo(bytes);
    assertThat(ItemText.isRaw(text)).isFalse();
    assertThat(ItemText.display(text)).isEqualTo(text);
  }

  @Test
  void otherBytesAreKeptAndShown() {
    byte[] bytes = "caf\u00E9.txt".getBytes(StandardCharsets.ISO_8859_1);
    String text = ItemText.of(bytes);
    assertThat(ItemText.isRaw(text)).isTrue();
    assertThat(ItemText.bytes(text)).isEqualTo(bytes);
    assertThat(ItemText.display(text)).isEqualTo("caf\\xe9.txt");
    assertThat(ItemText.display("a\n\u001B[0m\uD83D\uDE00"))
        .isEqualTo("a\\x0a\\x1b[0m\uD83D\uDE00");
  }

  @RepeatedTest(20)
  void anyBytesComeBack() {
    long seed = System.nanoTime();
    byte[] bytes = new byte[200];
    new Random(seed).nextBytes(bytes);
    assertThat(ItemText.bytes(ItemText.of(bytes))).as("seed %d", seed).isEqualTo(bytes);
  }

  @Test
  void encodedSurrogatesAreBytesToo() {
    byte[] bytes = {(byte) 0xED, (byte) 0xB2, (byte) 0x80, 'a'};
    assertThat(ItemText.bytes(ItemText.of(bytes))).isEqualTo(bytes);
  }
}
