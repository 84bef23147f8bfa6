package dev.stint.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerJarsTest {
  @TempDir Path directory = Path.of("");

  @Test
  void jarsAreUnpackedOnceForEachContent() throws IOException {
    Path cache = directory.resolve("cache");
    Path home = ServerJars.unpacked(archive("META-INF/stint-server/a.jar", "one"), cache);
    assertThat(home.resolve("a.jar")).hasContent("one");
    Files.writeString(home.resolve("a.jar"), "as it was");
    assertThat(ServerJars.unpacked(archive("META-INF/stint-server/a.jar", "one"), cache))
        .isEqualTo(home);
    assertThat(home.resolve("a.jar")).hasContent("as it was");
    assertThat(ServerJars.unpacked(archive("META-INF/stint-server/a.jar", "two"), cache))
        .isNotEqualTo(home);
  }

  @Test
  void anArchiveWithoutJarsIsNamed() throws IOException {
    Path other = archive("README", "nothing");
    assertThatThrownBy(() -> ServerJars.unpacked(other, directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no jars of the control plane");
  }

  private Path archive(String name, String content) throws IOException {
    Path jar = directory.resolve("archive.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content.getBytes(UTF_8));
    }
    return jar;
  }
}
