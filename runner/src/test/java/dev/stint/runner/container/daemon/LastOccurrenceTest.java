package dev.stint.runner.container.daemon;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LastOccurrenceTest {
  /** Seeded: texts of two letters, in which pieces overlap, in parts of any size. */
  @Test
  void itAgreesWithStringSearch() {
    Random random = new Random(3);
    for (int round = 0; round < 5_000; round++) {
      String text = letters(random, random.nextInt(60));
      String piece = letters(random, 1 + random.nextInt(6));
      int found = text.lastIndexOf(piece);
      assertThat(end(text, piece, random))
          .as("%s in %s", piece, text)
          .isEqualTo(found < 0 ? 0 : found + piece.length());
    }
  }

  @Test
  void nothingIsFoundAtTheBeginning() {
    assertThat(end("abc", "", new Random(1))).isZero();
    assertThat(end("", "abc", new Random(1))).isZero();
  }

  private static long end(String text, String piece, Random random) {
    LastOccurrence last = new LastOccurrence(piece.getBytes(US_ASCII));
    byte[] bytes = text.getBytes(US_ASCII);
    for (int from = 0; from < bytes.length; ) {
      int length = Math.min(bytes.length - from, 1 + random.nextInt(9));
      last.read(Arrays.copyOfRange(bytes, from, from + length + random.nextInt(3)), length);
      from += length;
    }
    return last.end();
  }

  private static String letters(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(random.nextInt(3) == 0 ? 'b' : 'a');
    }
    return text.toString();
  }
}
