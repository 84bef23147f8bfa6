package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.output.UserException;
import dev.stint.embedded.data.DataDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActiveRuntimeFileTest {
  @TempDir private Path data;
  private DataDirectory directory;
  private Path file;

  @BeforeEach
  void open() throws Exception {
    directory = DataDirectory.open(data.resolve("d"));
    file = directory.layout().runtime();
    Files.createDirectory(directory.pods().resolve("a"));
  }

  @AfterEach
  void close() {
    directory.close();
  }

  @Test
  void anotherRuntimeIsRefusedWhilePodsMayRun() throws Exception {
    ActiveRuntimeFile.record(RuntimeKind.process, directory);
    assertThat(file).hasContent("process\n");
    assertThatThrownBy(() -> ActiveRuntimeFile.record(RuntimeKind.container, directory))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("start with --runtime process and stop it with Ctrl-C");
    assertThat(file).hasContent("process\n");
  }

  @Test
  void aFileThatAKillLeftEmptyRefusesNoRuntime() throws Exception {
    Files.createFile(file);
    ActiveRuntimeFile.record(RuntimeKind.process, directory);
    assertThat(file).hasContent("process\n");
  }

  @Test
  void aKillDoesNotEmptyTheFileOfTheSameRuntime() throws Exception {
    Files.writeString(file, "process");
    ActiveRuntimeFile.record(RuntimeKind.process, directory);
    assertThat(Files.readString(file)).isEqualTo("process");
  }
}
