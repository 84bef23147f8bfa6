package dev.stint.runner.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class ShortageTest {
  private static final int ENOENT = 2;

  @Test
  void aFullTableOfProcessesMayPass() {
    assertThat(Shortage.isShortage(Posix.EAGAIN)).isTrue();
    assertThat(Shortage.isShortage(ENOENT)).isFalse();
  }

  @Test
  void aFullDiskMayPass() {
    IOException full = new FileSystemException("/a/file", null, "No space left on device");
    IOException denied = new FileSystemException("/a/file", null, "Permission denied");
    assertThat(Shortage.isShortage(full)).isTrue();
    assertThat(Shortage.isShortage(denied)).isFalse();
  }
}
