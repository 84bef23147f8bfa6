package dev.stint.cli.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cli.output.UserException;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataLocationTest {
  @Test
  void isTheDirectoryThatTheFlagNames() {
    assertThat(DataLocation.of(Path.of("/a/../b"), Map.of("HOME", "/home/u")).path())
        .isEqualTo(Path.of("/b"));
  }

  @Test
  void defaultsToTheSharedDirectoryOfTheUser() {
    assertThat(DataLocation.of(null, Map.of("HOME", "/home/u", "XDG_DATA_HOME", "/xdg")).path())
        .isEqualTo(Path.of("/xdg/stint"));
    assertThat(DataLocation.of(null, Map.of("HOME", "/home/u", "XDG_DATA_HOME", "rel")).path())
        .isEqualTo(Path.of("/home/u/.local/share/stint"));
  }

  @Test
  void requiresTheFlagIfThereIsNoHome() {
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> DataLocation.of(null, Map.of()))
        .withMessageContaining("--data DIR");
  }

  /** In a locale of ASCII, a home with an accent is no path. */
  @Test
  void aHomeThatIsNoPathIsNone() {
    Map<String, String> home = Map.of("HOME", "/home/jos\0");
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> DataLocation.of(null, home))
        .withMessageContaining("no path in this locale");
    assertThat(DataLocation.of(Path.of("/b"), home).flag(home)).isEqualTo(" --data /b");
  }

  @Test
  void anotherCommandNeedsTheFlagUnlessItFindsTheDirectoryByItself() {
    Map<String, String> home = Map.of("HOME", "/home/u");
    assertThat(DataLocation.of(null, home).flag(home)).isEmpty();
    assertThat(DataLocation.of(Path.of("/my data"), home).flag(home))
        .isEqualTo(" --data '/my data'");
    assertThat(DataLocation.of(Path.of("/b"), Map.of()).flag(Map.of())).isEqualTo(" --data /b");
  }

  @Test
  void isCreatedForItsOwnerOnly(@TempDir Path directory) throws IOException {
    DataLocation location = new DataLocation(directory.resolve("new"));
    location.create();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(location.path())))
        .isEqualTo("rwx------");
  }

  @Test
  void saysWhyItCannotBeCreated(@TempDir Path directory) throws IOException {
    Path below = Files.createFile(directory.resolve("file")).resolve("data");
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> new DataLocation(below).create())
        .withMessageMatching(
            "cannot create the data directory .*/file/data: Not a directory \\(.*\\); name another"
                + " one with --data DIR");
  }

  @Test
  void cannotBeAFile(@TempDir Path directory) throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> new DataLocation(file).create())
        .withMessageContaining("is a file");
  }

  @Test
  void openingWaitsForHoldersOfAMomentOnly(@TempDir Path directory) throws Exception {
    DataLocation location = new DataLocation(directory.resolve("new"));
    try (DataDirectory _ = location.open()) {
      assertThatExceptionOfType(DataDirectoryException.class)
          .isThrownBy(location::open)
          .withMessageContaining("in use");
    }
  }
}
