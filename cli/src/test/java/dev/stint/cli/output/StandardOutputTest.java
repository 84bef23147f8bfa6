package dev.stint.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.cli.CommandJvm;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardOutputTest {
  private static final File FULL = new File("/dev/full");

  @TempDir private Path directory;

  /** A disk that gets full, and then breaks. */
  private static final class FullDisk extends OutputStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private int room = 3;

    @Override
    public void write(int one) throws IOException {
      if (room <= 0) {
        throw new IOException(room-- == 0 ? "full" : "broken");
      }
      room--;
      written.write(one);
    }
  }

  @Test
  void theFirstFailureIsRemembered() {
    FullDisk disk = new FullDisk();
    StandardOutput output = new StandardOutput(disk, directory);
    PrintStream out = output.stream(UTF_8);
    out.print("123");
    assertThat(output.loss()).isNull();
    out.print("456");
    out.print("789");
    assertThat(output.loss()).hasMessage("full");
    assertThat(disk.written.toString(UTF_8)).isEqualTo("123");
  }

  private static Process start(Redirect output) throws IOException {
    List<String> command = new ArrayList<>(CommandJvm.command());
    command.add("version");
    return new ProcessBuilder(command).redirectOutput(output).start();
  }

  private static List<String> errors(Process process) throws IOException {
    try (var lines = process.errorReader(UTF_8)) {
      return lines.lines().toList();
    }
  }

  @Test
  void aCommandWhoseOutputIsLostFails() throws Exception {
    assumeTrue(Files.exists(FULL.toPath()));
    Process process = start(Redirect.to(FULL));
    assertThat(errors(process))
        .containsExactly("stint: standard output is incomplete: No space left on device");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  @Test
  void aReaderThatWantsNoMoreIsNoFault() throws Exception {
    Process process = start(Redirect.PIPE);
    process.getInputStream().close();
    assertThat(errors(process)).isEmpty();
    assertThat(process.waitFor()).isZero();
  }
}
