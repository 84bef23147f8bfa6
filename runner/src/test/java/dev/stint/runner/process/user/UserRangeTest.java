package dev.stint.runner.process.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserRangeTest {
  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void name() {
    file = dir.resolve("pod-users");
  }

  @Test
  void eachNamespaceHasAUserOfItsOwnAlsoAfterARestart() throws Exception {
    UserRange range = UserRange.open(file, 100, 102);
    assertThat(range.of("b")).contains(new PodUser(100, 100));
    assertThat(range.of("a")).contains(new PodUser(101, 101));
    assertThat(range.of("b")).contains(new PodUser(100, 100));
    UserRange next = UserRange.open(file, 100, 102);
    assertThat(next.of("a")).contains(new PodUser(101, 101));
    assertThat(next.of("c")).contains(new PodUser(102, 102));
    assertThat(file).hasContent("100 b\n101 a\n102 c");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void noUserServesTwoNamespaces() throws Exception {
    UserRange range = UserRange.open(file, 100, 100);
    range.of("a");
    assertThatThrownBy(() -> range.of("b"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "all users of --pod-user 100-100 have a namespace; restart with a larger range");
    assertThat(UserRange.open(file, 100, 101).of("b")).contains(new PodUser(101, 101));
  }

  @Test
  void usersOutsideTheRangeCountNoMore() throws Exception {
    UserRange.open(file, 100, 102).of("a");
    assertThat(UserRange.open(file, 200, 202).of("a")).contains(new PodUser(200, 200));
  }

  @Test
  void aUserOfAFormerRangeIsNeverGivenToAnotherNamespace() throws Exception {
    UserRange.open(file, 100, 102).of("a");
    UserRange.open(file, 200, 202).of("b");
    UserRange again = UserRange.open(file, 100, 102);
    assertThat(again.of("c")).contains(new PodUser(101, 101));
    assertThat(again.of("a")).contains(new PodUser(100, 100));
    assertThat(file).hasContent("100 a\n101 c\n200 b");
  }

  @Test
  void aDamagedFileIsNotOverwritten() throws Exception {
    Files.writeString(file, "100\n");
    assertThatThrownBy(() -> UserRange.open(file, 100, 102))
        .hasMessageContaining("\"100\" is not a line UID NAMESPACE");
  }
}
