package dev.stint.embedded.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DataDirectoryTest {
  @TempDir private Path temp;

  @Test
  void isCreatedForItsOwnerOnly() throws Exception {
    Path path = temp.resolve("some/where");
    try (DataDirectory data = DataDirectory.open(path)) {
      for (Path each : new Path[] {path, data.store(), data.pods(), data.logs()}) {
        assertThat(mode(each)).isEqualTo("rwx------");
      }
      assertThat(path.resolve("VERSION")).hasContent("1");
    }
  }

  @Test
  void aDirectoryWithOtherThingsInItKeepsItsMode() throws Exception {
    Files.createFile(temp.resolve("other"));
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (DataDirectory data = DataDirectory.open(temp)) {
      assertThat(mode(temp)).isEqualTo("rwxr-xr-x");
      assertThat(mode(data.store())).isEqualTo("rwx------");
    }
  }

  @Test
  void itsPartsAreMadePrivateAgain() throws Exception {
    try (DataDirectory data = DataDirectory.open(temp)) {
      Files.createFile(data.store().resolve("file"));
      Files.setPosixFilePermissions(data.store(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try (DataDirectory data = DataDirectory.open(temp)) {
      assertThat(mode(data.store())).isEqualTo("rwx------");
    }
  }

  @Test
  void canBeOpenedAgainOnceItIsClosed() throws Exception {
    DataDirectory first = DataDirectory.open(temp);
    first.close();
    first.close();
    try (DataDirectory again = DataDirectory.open(temp)) {
      assertThat(again.path()).isEqualTo(temp);
    }
  }

  @Test
  void aSecondOpeningInThisProcessIsRefusedAndHarmless() throws Exception {
    Path alias = Files.createSymbolicLink(temp.resolve("alias"), temp);
    try (DataDirectory data = DataDirectory.open(temp)) {
      for (int attempt = 0; attempt < 2; attempt++) {
        assertRefused(alias)
            .hasMessageContaining("data directory " + alias + " is in use by another stint process")
            .hasMessageContaining("pid " + ProcessHandle.current().pid());
      }
      assertThat(heldElsewhere(data.path())).isFalse();
    }
  }

  @Test
  void anotherProcessThatHoldsItIsNamed() throws Exception {
    Process holder = start(temp);
    try (BufferedReader out = reader(holder)) {
      assertThat(out.readLine()).isEqualTo("holding " + temp);
      assertRefused(temp)
          .hasMessageStartingWith(
              "data directory %s is in use by another stint process (pid %d, %s %s); stop it, or"
                  .formatted(temp, holder.pid(), LockHolder.class.getName(), temp));
    } finally {
      holder.destroyForcibly().waitFor();
    }
    try (DataDirectory data = DataDirectory.open(temp)) {
      assertThat(data.path()).isEqualTo(temp);
    }
  }

  @Test
  void aFileIsNotADirectory() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    assertRefused(file).hasMessage(file + " is not a directory; choose another with --data");
  }

  @Test
  void aDirectoryThatCannotBeCreatedIsReported() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    Path below = file.resolve("below/it");
    assertRefused(below)
        .hasMessageStartingWith("data directory " + below + " cannot be created: ")
        .hasMessageContaining(file.toString());
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsReported() throws IOException {
    Files.createDirectory(temp.resolve("lock"));
    assertRefused(temp)
        .hasMessageStartingWith("data directory " + temp + " cannot be written: Is a directory");
  }

  @Test
  void aFileInTheWayIsReportedAndTheLockIsFree() throws Exception {
    Path way = Files.createFile(temp.resolve("pods"));
    assertRefused(temp).hasMessageContaining(way + " is in the way");
    Files.delete(way);
    try (DataDirectory data = DataDirectory.open(temp)) {
      assertThat(data.pods()).isDirectory();
    }
  }

  @Test
  void aNewerFormatIsRefusedAndUntouched() throws Exception {
    Files.writeString(temp.resolve("VERSION"), "2\n");
    assertRefused(temp)
        .hasMessageContaining("has format 2, but this version of Stint understands format 1 only");
    assertThat(temp.resolve("VERSION")).hasContent("2");
    assertThat(temp.resolve("store")).doesNotExist();
  }

  @Test
  void anUnreadableFormatIsRefused() throws IOException {
    Files.writeString(temp.resolve("VERSION"), "one");
    assertRefused(temp).hasMessageContaining("contains no format number");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "VERSION", "VERSION.unfinished"})
  void noLinkIsFollowed(String name) throws Exception {
    Path target = Files.writeString(temp.resolve("target"), "1\n");
    Path data = Files.createDirectory(temp.resolve("data"));
    Files.createSymbolicLink(data.resolve(name), target);
    assertRefused(data).hasMessageContaining("symbolic link");
    assertThat(target).hasContent("1");
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(Path path) {
    return assertThatThrownBy(() -> DataDirectory.open(path))
        .isInstanceOf(DataDirectoryException.class)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  /** True if another process can lock it. */
  private static boolean heldElsewhere(Path path) throws Exception {
    Process other = start(path);
    other.getOutputStream().close();
    try (BufferedReader out = reader(other)) {
      return out.readLine() != null;
    } finally {
      other.waitFor();
    }
  }

  private static Process start(Path path) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            LockHolder.class.getName(),
            path.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
