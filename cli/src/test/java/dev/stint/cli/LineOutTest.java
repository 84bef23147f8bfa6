package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LineOutTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void linesOfSeveralLogsStayWhole() throws Exception {
    LineOut one = new LineOut(out, "[1] ");
    LineOut two = new LineOut(out, "[2] ");
    one.write(bytes("be"));
    two.write(bytes("one\ntw"));
    one.write(bytes("gin\n"));
    two.end();
    one.end();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("[2] one\n[1] begin\n[2] tw\n");
  }

  @Test
  void withoutAPrefixALogPassesAsItIs() throws Exception {
    LineOut plain = new LineOut(out, "");
    plain.write(bytes("no end"));
    plain.end();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("no end");
  }

  @Test
  void whoWritesHearsThatNobodyReads() {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    LineOut nobody = new LineOut(new PrintStream(broken, true, StandardCharsets.UTF_8), "");
    assertThatThrownBy(() -> nobody.write(bytes("x\n"))).isInstanceOf(LineOut.ReaderGone.class);
  }
}
