package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LinePrefixerTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void linesOfSeveralLogsStayWhole() throws Exception {
    LinePrefixer one = new LinePrefixer(out, "[1] ");
    LinePrefixer two = new LinePrefixer(out, "[2] ");
    one.write(bytes("be"));
    two.write(bytes("one\ntw"));
    one.write(bytes("gin\n"));
    two.finish();
    one.finish();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("[2] one\n[1] begin\n[2] tw\n");
  }

  @Test
  void aLineThatIsTooLongToWaitForIsSplit() throws Exception {
    LinePrefixer log = new LinePrefixer(out, "[1] ");
    log.write(bytes("a".repeat(LinePrefixer.LONGEST_LINE)));
    assertThat(bytes.size()).isZero();
    log.write(bytes("b"));
    log.write(bytes("c\n"));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("[1] " + "a".repeat(LinePrefixer.LONGEST_LINE) + "b\n[1] c\n");
  }

  @Test
  void aLogWithoutPrefixIsUnchanged() throws Exception {
    LinePrefixer plain = new LinePrefixer(out, "");
    plain.write(bytes("no end"));
    plain.finish();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("no end");
  }

  @Test
  void writingFailsIfTheReaderIsGone() {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    LinePrefixer nobody =
        new LinePrefixer(new PrintStream(broken, true, StandardCharsets.UTF_8), "");
    assertThatThrownBy(() -> nobody.write(bytes("x\n")))
        .isInstanceOf(LinePrefixer.ReaderGone.class);
  }
}
