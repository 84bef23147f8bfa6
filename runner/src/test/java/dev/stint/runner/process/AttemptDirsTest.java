package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptDirsTest {
  @TempDir private Path pods;
  private AttemptDirs dirs;

  @BeforeEach
  void open() throws IOException {
    dirs = new AttemptDirs(pods);
  }

  @Test
  void aPodTakesWhatAnotherHasLeft() throws IOException {
    AttemptDir old = made("old", 0);
    old.write("its script");
    assertThat(dirs.recycle(old)).isTrue();
    assertThat(made("next", 0).path().resolve("script")).hasContent("its script");
    assertThat(made("third", 0).path()).isEmptyDirectory();
  }

  @Test
  void onlyAFirstAttemptTakesOneAndLeavesOne() throws IOException {
    assertThat(dirs.recycle(made("old", 1))).isFalse();
    AttemptDir first = made("first", 0);
    first.write("its script");
    assertThat(dirs.recycle(first)).isTrue();
    assertThat(made("next", 1).path()).isEmptyDirectory();
  }

  @Test
  void whatHasMoreThanItsRecordIsNotKept() throws IOException {
    AttemptDir old = made("old", 0);
    Files.createFile(old.messageFile());
    assertThat(dirs.recycle(old)).isFalse();
  }

  private AttemptDir made(String uid, int number) throws IOException {
    AttemptDir dir = AttemptDir.of(pods, uid, "main", number);
    dirs.make(dir);
    return dir;
  }
}
