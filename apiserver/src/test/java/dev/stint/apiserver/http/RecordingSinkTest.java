package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RecordingSinkTest {
  private static final byte[] PIECE = new byte[1 << 19];

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final RecordingSink sink =
      new RecordingSink(
          new ApiResponse.Sink() {
            @Override
            public void write(byte[] bytes) {
              sent.writeBytes(bytes);
            }

            @Override
            public void onClose(Runnable task) {}
          });

  @Test
  void aResponseThatFitsIntoAnEventIsKept() throws IOException {
    sink.write(PIECE);
    sink.write(PIECE.length, () -> PIECE);
    assertThat(sink.whole()).hasValueSatisfying(all -> assertThat(all).hasSize(1 << 20));
    assertThat(sent.size()).isEqualTo(1 << 20);
  }

  @Test
  void nothingIsKeptOfAResponseThatIsTooLong() throws IOException {
    sink.write(PIECE);
    sink.write(PIECE);
    sink.write(new byte[1]);
    assertThat(sink.kept()).isZero();
    sink.write(new byte[1]);
    assertThat(sink.kept()).isZero();
    assertThat(sink.whole()).isEmpty();
    assertThat(sent.size()).isEqualTo((1 << 20) + 2);
  }
}
