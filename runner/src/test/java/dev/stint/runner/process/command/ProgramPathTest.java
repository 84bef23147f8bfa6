package dev.stint.runner.process.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramPathTest {
  @TempDir private Path dir;
  private Instant now = Instant.EPOCH;
  private final ProgramPath programs = new ProgramPath(() -> now);
  private Path first;
  private Path second;
  private String path;

  @BeforeEach
  void makePath() throws IOException {
    first = Files.createDirectory(dir.resolve("first"));
    second = Files.createDirectory(dir.resolve("second"));
    path = first + ":" + second;
  }

  @Test
  void findsWhatTheFirstDirectoryHas() throws Exception {
    program(second);
    assertThat(programs.find("tool", path, dir)).isEqualTo(second.resolve("tool"));
    assertThat(programs.find("second/tool", path, dir)).isEqualTo(second.resolve("tool"));
  }

  @Test
  void passesOverWhatCanNotBeExecuted() throws Exception {
    Files.createFile(first.resolve("tool"));
    program(second);
    assertThat(programs.find("tool", path, dir)).isEqualTo(second.resolve("tool"));
    assertThatThrownBy(() -> programs.find("tool", first.toString(), dir))
        .hasMessage("cannot run \"tool\": the file is not executable");
  }

  @Test
  void theMessageNamesTheSearchedPath() {
    assertThatThrownBy(() -> programs.find("tool", path, dir))
        .hasMessage("cannot run \"tool\": not found in PATH (" + path + ") on this machine");
    assertThatThrownBy(() -> programs.find("./tool", path, dir))
        .hasMessage("cannot run \"./tool\": no such file on this machine");
  }

  @Test
  void looksAgainAfterAMoment() throws Exception {
    program(second);
    assertThat(programs.find("tool", path, dir)).isEqualTo(second.resolve("tool"));
    program(first);
    now = now.plus(Duration.ofMillis(999));
    assertThat(programs.find("tool", path, dir)).isEqualTo(second.resolve("tool"));
    now = now.plusMillis(1);
    assertThat(programs.find("tool", path, dir)).isEqualTo(first.resolve("tool"));
  }

  @Test
  void theCacheExpiresWhenTheClockIsSetBack() throws Exception {
    program(second);
    assertThat(programs.find("tool", path, dir)).isEqualTo(second.resolve("tool"));
    program(first);
    now = now.minusSeconds(1);
    assertThat(programs.find("tool", path, dir)).isEqualTo(first.resolve("tool"));
  }

  @Test
  void doesNotRememberWhatWasMissing() throws Exception {
    assertThatThrownBy(() -> programs.find("tool", path, dir)).hasMessageContaining("not found");
    program(first);
    assertThat(programs.find("tool", path, dir)).isEqualTo(first.resolve("tool"));
  }

  private static void program(Path in) throws IOException {
    Path file = Files.createFile(in.resolve("tool"));
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
