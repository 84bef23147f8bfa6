package dev.stint.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerJarsTest {
  private static final String JAR = "META-INF/stint-server/a.jar";

  @TempDir Path directory = Path.of("");
  private JarCache cache = new JarCache(directory, () -> Instant.EPOCH);

  @BeforeEach
  void placeCache() {
    cache = new JarCache(directory.resolve("cache"), () -> Instant.EPOCH);
  }

  @Test
  void jarsAreUnpackedOnceForEachContent() throws IOException {
    Path home = ServerJars.unpacked(archive(JAR, "one"), cache);
    assertThat(home.resolve("a.jar")).hasContent("one");
    Files.writeString(home.resolve("a.jar"), "old");
    assertThat(ServerJars.unpacked(archive(JAR, "one"), cache)).isEqualTo(home);
    assertThat(home.resolve("a.jar")).hasContent("old");
    assertThat(ServerJars.unpacked(archive(JAR, "two"), cache)).isNotEqualTo(home);
  }

  /** As a full disk or a cleaner of old files leaves it. */
  @Test
  void aJarThatIsShortOrMissingIsUnpackedAgain() throws IOException {
    Path home = ServerJars.unpacked(archive(JAR, "one"), cache);
    Files.writeString(home.resolve("a.jar"), "o");
    ServerJars.unpacked(archive(JAR, "one"), cache);
    assertThat(home.resolve("a.jar")).hasContent("one");
    Files.delete(home.resolve("a.jar"));
    ServerJars.unpacked(archive(JAR, "one"), cache);
    assertThat(home.resolve("a.jar")).hasContent("one");
    assertThat(home).isDirectoryContaining("glob:**.jar").isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void nothingStaysOfAJarThatCannotGetToItsPlace() throws IOException {
    Path home = ServerJars.unpacked(archive(JAR, "one"), cache);
    Files.delete(home.resolve("a.jar"));
    Files.createDirectories(home.resolve("a.jar/inside"));
    assertThatThrownBy(() -> ServerJars.unpacked(archive(JAR, "one"), cache))
        .isInstanceOf(IOException.class);
    assertThat(home).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void anArchiveWithoutJarsIsNamed() throws IOException {
    Path other = archive("README", "nothing");
    assertThatThrownBy(() -> ServerJars.unpacked(other, cache))
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
