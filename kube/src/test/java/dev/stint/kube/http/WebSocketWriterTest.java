package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketWriterTest {
  private static byte[] sent(byte[] payload, long seed) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new WebSocketWriter(out, new Random(seed)).send(WebSocketReader.BINARY, () -> payload);
    return out.toByteArray();
  }

  /** Of RFC 6455, section 5.2: the length has one, three or nine bytes. */
  @ParameterizedTest
  @CsvSource({
    "0, 80",
    "1, 81",
    "125, fd",
    "126, fe007e",
    "65535, feffff",
    "65536, ff0000000000010000"
  })
  void aFrameHasItsLengthAMaskAndMaskedBytes(int length, String head) throws Exception {
    byte[] payload = new byte[length];
    new Random(length).nextBytes(payload);
    byte[] frame = sent(payload, 7);
    int maskAt = 1 + head.length() / 2;
    assertThat(java.util.HexFormat.of().formatHex(frame, 0, maskAt)).isEqualTo("82" + head);
    byte[] mask = new byte[4];
    new Random(7).nextBytes(mask);
    assertThat(Arrays.copyOfRange(frame, maskAt, maskAt + 4)).isEqualTo(mask);
    byte[] unmasked = Arrays.copyOfRange(frame, maskAt + 4, frame.length);
    for (int i = 0; i < unmasked.length; i++) {
      unmasked[i] ^= mask[i % 4];
    }
    assertThat(unmasked).isEqualTo(payload);
  }

  @Test
  void eachFrameHasAMaskOfItsOwn() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WebSocketWriter writer = new WebSocketWriter(out, new Random(1));
    writer.send(WebSocketReader.BINARY, () -> new byte[4]);
    writer.send(WebSocketReader.BINARY, () -> new byte[4]);
    byte[] both = out.toByteArray();
    assertThat(Arrays.copyOfRange(both, 2, 6)).isNotEqualTo(Arrays.copyOfRange(both, 12, 16));
  }
}
