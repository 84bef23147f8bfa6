package dev.stint.runner.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubPathTest {
  @TempDir Path dir;
  private Path volume;

  @BeforeEach
  void makeVolume() throws IOException {
    volume = Files.createDirectory(dir.resolve("v"));
  }

  @Test
  void aMissingPartIsMadeWithThePermissionsOfTheVolume() throws Exception {
    Files.setAttribute(volume, "unix:mode", 02777);
    assertThat(part("a/./b")).isEqualTo(volume.toRealPath().resolve("a/b"));
    for (String made : List.of("a", "a/b")) {
      assertThat((int) Files.getAttribute(volume.resolve(made), "unix:mode") & 07777)
          .as(made)
          .isEqualTo(02777);
    }
  }

  @Test
  void noPartLeadsOutOfTheVolume() throws Exception {
    Files.createSymbolicLink(volume.resolve("out"), dir);
    Files.createSymbolicLink(volume.resolve("climbs"), Path.of("../.."));
    for (String part :
        List.of("..", "out", "out/new", "../v/../..", "a/../../b", "/etc", "climbs", "climbs/b")) {
      assertThatThrownBy(() -> part(part))
          .as(part)
          .isInstanceOf(VolumeFault.class)
          .hasMessageEndingWith("leads out of the volume");
    }
    assertThat(dir.resolve("new")).doesNotExist();
  }

  @Test
  void linksWithinTheVolumeAreFollowed() throws Exception {
    Files.createDirectories(volume.resolve("..data/deep"));
    Files.writeString(volume.resolve("..data/file"), "");
    Files.createSymbolicLink(volume.resolve("file"), Path.of("..data/file"));
    Files.createSymbolicLink(volume.resolve("to"), Path.of("..data/deep"));
    assertThat(part("file")).isEqualTo(volume.toRealPath().resolve("..data/file"));
    assertThat(part("to/more")).isEqualTo(volume.toRealPath().resolve("..data/deep/more"));
  }

  @Test
  void aPartBehindAFileIsReported() throws Exception {
    Files.writeString(volume.resolve("file"), "");
    Files.createSymbolicLink(volume.resolve("nowhere"), Path.of("missing"));
    for (String part : List.of("file/in", "nowhere", "nowhere/in")) {
      assertThatThrownBy(() -> part(part))
          .as(part)
          .isInstanceOf(VolumeFault.class)
          .hasMessageContaining("through a file");
    }
    assertThat(volume.resolve("missing")).doesNotExist();
  }

  private Path part(String subPath) throws IOException, VolumeFault {
    VolumeMount mount = new VolumeMount("v", Path.of("/v"), subPath, false);
    try (Handle whole = Handle.open(volume);
        Handle part = SubPath.open(whole, mount)) {
      return part.location();
    }
  }
}
