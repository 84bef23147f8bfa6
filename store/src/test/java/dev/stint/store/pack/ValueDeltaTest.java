package dev.stint.store.pack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueDeltaTest {
  private static final byte[] KNOWN =
      "{\"name\":\"j-1-abcde\",\"uid\":\"11111111\",\"phase\":\"Succeeded\"}".getBytes(UTF_8);

  @Test
  void aValueIsWhatIsKnownButForWhatIsNew() {
    String value = "{\"name\":\"j-1234-x\",\"uid\":\"22222222\",\"phase\":\"Succeeded\"}";
    assertThat(cost(value)).isLessThan("1234-x".length() + "22222222".length() + 15);
  }

  @Test
  void whatIsPutInOrLeftOutCostsItself() {
    assertThat(
            cost(
                "{\"name\":\"j-1-abcde\",\"uid\":\"11111111\",\"reason\":\"R\",\"phase\":\"Succeeded\"}"))
        .isLessThan("\"reason\":\"R\",".length() + 10);
    assertThat(cost("{\"name\":\"j-1-abcde\",\"phase\":\"Succeeded\"}")).isLessThan(15);
  }

  @Test
  void whatTakesMoreThanItMayIsNotExpressed() {
    byte[] value = "nothing of this is known, not a bit of it".getBytes(UTF_8);
    ValueDelta delta = new ValueDelta(KNOWN);
    assertThat(delta.of(value, value.length)).isNull();
    assertThat(delta.of(value, value.length + 15)).isNotNull();
    assertThat(delta.of(KNOWN, 14)).isNull();
    assertThat(delta.of(KNOWN, 15)).isNotNull();
  }

  /** Seeded: 20,000 values that are composed of pieces of the known value and of noise. */
  @Test
  void everyValueComesBack() {
    Random random = new Random(5);
    for (int round = 0; round < 20_000; round++) {
      byte[] known = noise(random, random.nextInt(400));
      byte[] value = mixed(random, known);
      byte[] steps = new ValueDelta(known).of(value, 3 * value.length + 100);
      assertThat(ValueDelta.apply(known, Objects.requireNonNull(steps), value.length))
          .isEqualTo(value);
    }
  }

  private static int cost(String text) {
    byte[] value = text.getBytes(UTF_8);
    byte[] steps = Objects.requireNonNull(new ValueDelta(KNOWN).of(value, value.length + 50));
    assertThat(ValueDelta.apply(KNOWN, steps, value.length)).isEqualTo(value);
    return steps.length;
  }

  private static byte[] mixed(Random random, byte[] known) {
    byte[] value = new byte[0];
    int pieces = random.nextInt(6);
    for (int i = 0; i < pieces; i++) {
      byte[] piece =
          random.nextInt(3) == 0 ? noise(random, random.nextInt(200)) : part(random, known);
      int end = value.length;
      value = Arrays.copyOf(value, end + piece.length);
      System.arraycopy(piece, 0, value, end, piece.length);
    }
    return value;
  }

  private static byte[] part(Random random, byte[] known) {
    int from = random.nextInt(known.length + 1);
    return Arrays.copyOfRange(known, from, from + random.nextInt(known.length - from + 1));
  }

  /** Returns a text of few letters, so that much of it occurs more than once. */
  private static byte[] noise(Random random, int length) {
    byte[] noise = new byte[length];
    for (int i = 0; i < length; i++) {
      noise[i] = (byte) ('a' + random.nextInt(3));
    }
    return noise;
  }
}
