package dev.stint.runner.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class ResourceExhaustionTest {
  private static final int ENOENT = 2;

  @Test
  void aFullTableOfProcessesMayPass() {
    assertThat(ResourceExhaustion.isCause(Posix.EAGAIN)).isTrue();
    assertThat(ResourceExhaustion.isCause(ENOENT)).isFalse();
  }

  @Test
  void aFullDiskMayPass() {
    IOException full = new FileSystemException("/a/file", null, "No space left on device");
    IOException denied = new FileSystemException("/a/file", null, "Permission denied");
    assertThat(ResourceExhaustion.isCause(full)).isTrue();
    assertThat(ResourceExhaustion.isCause(denied)).isFalse();
  }
}
