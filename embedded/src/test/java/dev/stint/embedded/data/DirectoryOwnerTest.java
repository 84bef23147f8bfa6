package dev.stint.embedded.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Root in the data directory of another user, who has no name on this machine. */
class DirectoryOwnerTest {
  private static final int OTHER = 2_000_000_001;

  @TempDir private Path data;

  @BeforeEach
  void takesRoot() throws IOException {
    assumeTrue(
        Files.getAttribute(data, "unix:uid").equals(0),
        "NOT TESTED: only root can give files away");
  }

  @ParameterizedTest
  @ValueSource(strings = {"VERSION", "lock", "store", "pods"})
  void rootIsKeptOutOfADirectoryThatAnotherUserHasUsed(String part) throws Exception {
    DataDirectory.open(data).close();
    give(data.resolve(part));
    String holder = Files.readString(data.resolve("lock"));
    assertRefused();
    assertThat(Files.readString(data.resolve("lock"))).isEqualTo(holder);
    assertThat(names()).containsExactlyInAnyOrder("VERSION", "lock", "store", "pods", "logs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "logs"})
  void aLinkOfAnotherUserCountsAsHis(String part) throws Exception {
    Path target = Files.writeString(data.resolve("target"), "root's");
    give(Files.createSymbolicLink(data.resolve(part), target));
    assertRefused();
    assertThat(target).hasContent("root's");
  }

  @Test
  void rootMayGiveItsLogsToAnotherUser() throws Exception {
    DataDirectory.open(data).close();
    give(data.resolve("logs"));
    DataDirectory.open(data).close();
  }

  /** A container of root may have the directory of another user as a volume. */
  @Test
  void rootGoesOnInADirectoryThatItUsesItselfWhoeverOwnsIt() throws Exception {
    give(data);
    give(Files.createFile(data.resolve("other")));
    for (int opening = 0; opening < 2; opening++) {
      try (DataDirectory opened = DataDirectory.open(data)) {
        assertThat(opened.store()).isDirectory();
      }
    }
  }

  @Test
  void aDirectoryThatDoesNotExistIsNobodys() throws Exception {
    DataDirectory.checkOwner(data.resolve("none"));
    assertThat(data.resolve("none")).doesNotExist();
  }

  private void assertRefused() {
    assertThatThrownBy(() -> DataDirectory.open(data))
        .isInstanceOf(DataDirectoryException.class)
        .hasMessage(
            "data directory %s belongs to %2$d, who could not open what root writes there; run the command as that user: sudo -u '#%2$d' stint …"
                .formatted(data, OTHER));
  }

  private static Path give(Path file) throws IOException {
    return Files.setAttribute(file, "unix:uid", OTHER, LinkOption.NOFOLLOW_LINKS);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(data)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
