package dev.stint.runner.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.runner.file.Handle;
import dev.stint.runner.file.Leases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FilesInVolumesTest {
  @TempDir Path dir;
  private Path volume = Path.of("");

  @BeforeEach
  void makeVolume() throws IOException {
    volume = Files.createDirectories(dir.resolve("uid/config"));
    Files.createDirectory(volume.resolve("sub"));
    Files.writeString(volume.resolve("sub/a.env"), "A='1'");
    Files.writeString(dir.resolve("secret"), "S='1'");
  }

  @Test
  void filesOfAVolumeAreRead() throws Exception {
    assertThat(files().read("uid", "config", "sub/a.env")).contains("A='1'");
    assertThat(files().read("uid", "config", "b.env")).isEmpty();
    assertThat(files().read("uid", "none", "a.env")).isEmpty();
    assertThat(files().read("other", "config", "a.env")).isEmpty();
  }

  @Test
  void noLinkAndNoPathLeadsOut() throws Exception {
    Files.createSymbolicLink(volume.resolve("link"), dir.resolve("secret"));
    Files.createSymbolicLink(volume.resolve("up"), dir);
    for (String path : new String[] {"link", "up/secret", "../../secret", "/etc/passwd"}) {
      assertThatThrownBy(() -> files().read("uid", "config", path))
          .as(path)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the path leads ");
    }
  }

  @Test
  void onlySmallRegularFilesAreRead() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", volume.resolve("pipe").toString()).start().waitFor())
        .isZero();
    Files.write(volume.resolve("large"), new byte[64 * 1024 + 1]);
    assertThatThrownBy(() -> files().read("uid", "config", "pipe"))
        .hasMessage("it is not a regular file");
    assertThatThrownBy(() -> files().read("uid", "config", "sub"))
        .hasMessage("it is not a regular file");
    assertThatThrownBy(() -> files().read("uid", "config", "large"))
        .hasMessage("it is larger than 64 KiB");
  }

  /** Otherwise a pod that owns a file could hold up its reader for the kernel's 45 s. */
  @Test
  void noProcessWithALeaseIsWaitedFor() throws Exception {
    try (Handle _ = Leases.take(volume.resolve("sub/a.env"))) {
      assertThatThrownBy(() -> files().read("uid", "config", "sub/a.env"))
          .isInstanceOf(IOException.class)
          .hasMessage("it is leased by a process");
    }
    assertThat(files().read("uid", "config", "sub/a.env")).contains("A='1'");
  }

  private FilesInVolumes files() {
    return new FilesInVolumes(dir::resolve);
  }
}
