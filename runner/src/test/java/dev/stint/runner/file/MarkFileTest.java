package dev.stint.runner.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkFileTest {
  @TempDir private Path dir;

  @Test
  void aMarkIsAnEmptyFileAndMayBeThereAlready() throws IOException {
    Path mark = dir.resolve("mark");
    MarkFile.make(mark, dir.resolve("other"));
    MarkFile.make(mark, dir.resolve("other"));
    assertThat(mark).isEmptyFile();
  }

  @Test
  void aFileSystemThatTakesNoNewFileTakesAMark() throws IOException {
    Path other = Files.writeString(dir.resolve("other"), "text");
    Path mark = dir.resolve("mark");
    MarkFile.make(mark, other, MarkFileTest::refuse);
    assertThat(mark).exists();
    Files.delete(mark);
    assertThat(other).hasContent("text");
  }

  private static void refuse(Path file) throws IOException {
    throw new FileSystemException(file.toString(), null, "No space left on device");
  }

  @Test
  void aMarkThatCannotBeMadeIsAnErrorThatSaysWhy() {
    Path mark = dir.resolve("mark");
    assertThatThrownBy(() -> MarkFile.make(mark, dir.resolve("missing"), MarkFileTest::refuse))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left on device");
  }
}
