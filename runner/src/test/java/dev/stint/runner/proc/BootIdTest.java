package dev.stint.runner.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootIdTest {
  @TempDir private Path proc = Path.of("");

  @Test
  void isThatOfTheKernel() throws IOException {
    Files.createDirectories(proc.resolve("sys/kernel/random"));
    Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "abc-def\n");
    assertThat(BootId.of(proc)).isEqualTo("abc-def");
  }

  @Test
  void isTheStartOfTheFirstProcessWithoutProcSys() throws IOException {
    Files.createDirectory(proc.resolve("1"));
    Files.writeString(
        proc.resolve("1/stat"),
        "1 (a name) 1) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 200\n");
    assertThat(BootId.of(proc)).isEqualTo("init-987654");
  }

  @Test
  void aTagTellsBootsApart() {
    assertThat(BootId.tag("0e7b8f6c-5f0a-4c0e-9d57-6b1c2a3d4e5f")).isEqualTo("6b1c2a3d4e5f");
    assertThat(BootId.tag("init-987654")).isEqualTo("init-987654");
  }

  @Test
  void isTheSameEachTimeIfNothingIsKnown() throws IOException {
    assertThat(BootId.of(proc)).isEqualTo("init-unknown");
    Files.createDirectory(proc.resolve("1"));
    Files.writeString(proc.resolve("1/stat"), "1 (short) S 0");
    assertThat(BootId.of(proc)).isEqualTo("init-unknown");
  }
}
