package dev.stint.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarCacheTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path directory = Path.of("");

  @Test
  void versionsThatNobodyUsesAreRemovedOldestFirst() throws IOException {
    for (int day = 1; day <= 5; day++) {
      unused("testkit-a" + day, day);
    }
    Path home = new JarCache(directory, () -> NOW).use(0xb);
    assertThat(home).isEqualTo(directory.resolve("testkit-b"));
    assertThat(names()).containsExactly("testkit-a1", "testkit-a2", "testkit-b", "testkit.lock");
  }

  @Test
  void aVersionInUseStays() throws IOException {
    JarCache cache = new JarCache(directory, () -> NOW);
    Path old = cache.use(0xa);
    Files.writeString(old.resolve("some.jar"), "");
    Files.setLastModifiedTime(old, FileTime.from(NOW.minusSeconds(1)));
    for (int key = 1; key <= JarCache.KEPT; key++) {
      cache.use(key);
    }
    assertThat(old.resolve("some.jar")).exists();
  }

  @Test
  void otherFilesOfTheUserStay() throws IOException {
    for (int day = 1; day <= 5; day++) {
      unused("testkit-of-mine" + day, day);
    }
    new JarCache(directory, () -> NOW).use(0xb);
    assertThat(names()).hasSize(7);
  }

  /** The link leads nowhere, as the name of a version that another JVM has just removed. */
  @Test
  void aCleanUpThatFailsIsNoFault() throws IOException {
    Files.createSymbolicLink(directory.resolve("testkit-a"), directory.resolve("gone"));
    assertThat(new JarCache(directory, () -> NOW).use(0xb)).isDirectory();
  }

  /** The file of locks cannot be opened, which stands for a file system without locks. */
  @Test
  void nothingIsRemovedWithoutLocks() throws IOException {
    Files.createDirectory(directory.resolve("testkit.lock"));
    for (int day = 1; day <= 5; day++) {
      unused("testkit-a" + day, day);
    }
    assertThat(new JarCache(directory, () -> NOW).use(0xb)).isDirectory();
    assertThat(names()).hasSize(7);
  }

  private void unused(String name, int days) throws IOException {
    Path version = Files.createDirectories(directory.resolve(name));
    Files.writeString(version.resolve("some.jar"), "");
    Files.setLastModifiedTime(version, FileTime.from(NOW.minusSeconds(days * 86_400L)));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }
}
