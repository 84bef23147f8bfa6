package dev.stint.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.output.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTrustTest {
  private static @Nullable String refusal(int owner, String group, String permissions) {
    Set<PosixFilePermission> parsed = PosixFilePermissions.fromString(permissions);
    return FileTrust.refusal(owner, 1000, owner == 0 ? "root" : "me", group, parsed);
  }

  @Test
  void filesOfTheUserAndOfRootAreRead() {
    assertThat(refusal(1000, "me", "rw-r--r--")).isNull();
    assertThat(refusal(0, "root", "rw-r--r--")).isNull();
    assertThat(refusal(1000, "me", "rw-rw-r--")).as("a group of its own").isNull();
  }

  @Test
  void filesThatOthersCanWriteAreRefused() {
    assertThat(refusal(1001, "me", "rw-------")).contains("belongs to me").contains("STINT_CONFIG");
    assertThat(refusal(1000, "me", "rw-r--rw-")).contains("everybody").contains("chmod go-w");
    assertThat(refusal(0, "staff", "rw-rw-r--")).contains("the group staff").contains("chmod g-w");
  }

  /** FreeBSD and macOS have no /proc, nor has every chroot. */
  @Test
  void theUserIsKnownWithoutProc(@TempDir Path scratch) throws Exception {
    int owner = (int) Files.getAttribute(scratch, "unix:uid");
    assertThat(FileTrust.ownUser(scratch.resolve("none"))).isEqualTo(owner);
    assertThat(FileTrust.ownUser(Path.of("/proc/self"))).isEqualTo(owner);
  }

  @Test
  void theAttributesAreThoseOfTheFileBehindALink(@TempDir Path scratch) throws Exception {
    Path file = Files.createFile(scratch.resolve("shared.yaml"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    Path link = Files.createSymbolicLink(scratch.resolve("config.yaml"), file);
    assertThatThrownBy(() -> FileTrust.check(link))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("everybody");
  }
}
