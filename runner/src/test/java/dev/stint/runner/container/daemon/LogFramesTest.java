package dev.stint.runner.container.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.runner.log.LogStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LogFramesTest {
  @Test
  void streamsAreSeparatedHoweverTheBytesArrive() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    ByteArrayOutputStream[] printed = {new ByteArrayOutputStream(), new ByteArrayOutputStream()};
    for (int i = 0; i < 50; i++) {
      byte[] piece = new byte[random.nextInt(1 << 17)];
      random.nextBytes(piece);
      int stream = random.nextInt(2);
      framed.writeBytes(header(stream + 1, piece.length));
      framed.writeBytes(piece);
      printed[stream].writeBytes(piece);
    }
    ByteArrayOutputStream[] copied = copy(framed.toByteArray());
    for (int i = 0; i < 2; i++) {
      assertThat(copied[i].toByteArray())
          .describedAs("seed %d", seed)
          .isEqualTo(printed[i].toByteArray());
    }
  }

  @Test
  void anIncompleteFrameIsCopiedAsFarAsItCame() throws IOException {
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    framed.writeBytes(header(1, 5));
    framed.writeBytes("hello".getBytes(UTF_8));
    framed.writeBytes(header(2, 5));
    framed.writeBytes("wo".getBytes(UTF_8));
    ByteArrayOutputStream[] copied = copy(framed.toByteArray());
    assertThat(copied[0].toString(UTF_8)).isEqualTo("hello");
    assertThat(copied[1].toString(UTF_8)).isEqualTo("wo");
    assertThat(copy(Arrays.copyOf(framed.toByteArray(), 3))[0].size()).isZero();
  }

  /** Podman answers so if a container ends while its log is read. */
  @Test
  void anErrorOfTheDaemonIsNoOutput() throws IOException {
    String error = "{\"cause\":\"no such process\",\"response\":500}";
    assertThatThrownBy(() -> copy(error.getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(error);
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    framed.writeBytes(header(3, 5));
    framed.writeBytes("error".getBytes(UTF_8));
    assertThatThrownBy(() -> copy(framed.toByteArray())).hasMessageContaining("error");
  }

  private static ByteArrayOutputStream[] copy(byte[] framed) throws IOException {
    ByteArrayOutputStream[] copied = {new ByteArrayOutputStream(), new ByteArrayOutputStream()};
    LogFrames.copy(
        new ByteArrayInputStream(framed),
        (stream, bytes, length) ->
            copied[stream == LogStream.STDOUT ? 0 : 1].write(bytes, 0, length));
    return copied;
  }

  private static byte[] header(int stream, int length) {
    return ByteBuffer.allocate(8).putInt(stream << 24).putInt(length).array();
  }
}
