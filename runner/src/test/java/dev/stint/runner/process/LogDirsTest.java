package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.log.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirsTest {
  @TempDir private Path root;
  private final LogDirs dirs = new LogDirs(true);

  @Test
  void theDirectoryOfAPodThatPrintedNothingIsToSpareOnce() throws IOException {
    LogFiles silent = offered("silent");
    LogFiles next = files("next", 0);
    assertThat(dirs.make(next, "next", true)).contains(silent.dir());
    assertThat(next.dir()).as("the shim makes it").doesNotExist();
    assertThat(dirs.isOwn(next.dir(), "next")).isTrue();
    assertMadeHere(files("third", 0));
  }

  @Test
  void theLatestOneComesFirst() throws IOException {
    offered("first");
    LogFiles last = offered("last");
    assertThat(dirs.make(files("next", 0), "next", true)).contains(last.dir());
  }

  @Test
  void itIsForAContainerOfThatName() throws IOException {
    offered("silent");
    assertMadeHere(new LogFiles(root.resolve("next"), "other", 0));
  }

  @Test
  void itIsForThePlainAndTheFirst() throws IOException {
    offered("silent");
    LogFiles arranged = files("arranged", 0);
    assertThat(dirs.make(arranged, "arranged", false)).isEmpty();
    assertThat(arranged.dir()).isDirectory();
    assertMadeHere(files("next", 1));
  }

  @Test
  void aPodWithASecondContainerHasOneDirectory() throws IOException {
    offered("one");
    offered("two");
    LogFiles first = files("next", 0);
    assertThat(dirs.make(first, "next", true)).isPresent();
    assertThat(dirs.make(new LogFiles(first.dir(), "main", 0), "next", true)).isEmpty();
    assertThat(first.dir()).isDirectory();
  }

  @Test
  void aDirectoryWithMoreThanOneAttemptOrWithTimesIsNoSpare() throws IOException {
    LogFiles dated = made("dated");
    Files.createFile(dated.times());
    dirs.offer(dated);
    dirs.offer(files("again", 1));
    assertMadeHere(files("next", 0));
  }

  @Test
  void aDirectoryIsNotToSpareOnceItsNameCameAgain() throws IOException {
    LogFiles silent = offered("pod");
    assertThat(dirs.make(silent, "again", true)).isEmpty();
    assertThat(dirs.release(silent.dir(), "again")).isFalse();
    assertMadeHere(files("next", 0));
  }

  @Test
  void aDirectoryThatTwoPodsOfANameHaveIsNeithersAlone() throws IOException {
    LogFiles files = made("pod");
    assertThat(dirs.isOwn(files.dir(), "pod")).isTrue();
    assertThat(dirs.make(files, "twin", true)).isEmpty();
    assertThat(dirs.isOwn(files.dir(), "pod")).isFalse();
    assertThat(dirs.release(files.dir(), "twin")).isFalse();
    assertThat(dirs.release(files.dir(), "pod")).isFalse();
  }

  @Test
  void norIsOneThatTheShimHasNotMadeYet() throws IOException {
    offered("silent");
    LogFiles files = files("pod", 0);
    assertThat(dirs.make(files, "pod", true)).isPresent();
    assertThat(dirs.make(files, "twin", true)).isEmpty();
    assertThat(dirs.release(files.dir(), "twin")).isFalse();
    assertThat(dirs.release(files.dir(), "pod")).isFalse();
  }

  @Test
  void aPodThatMadeNoDirectoryLeavesThatOfAnotherAlone() throws IOException {
    LogFiles files = made("pod");
    assertThat(dirs.release(files.dir(), "twin")).isFalse();
    assertThat(dirs.release(files.dir(), "pod")).isTrue();
  }

  @Test
  void onlyTheLastOnesAreRemembered() throws IOException {
    offered("first");
    for (int each = 0; each < 256; each++) {
      dirs.offer(new LogFiles(root.resolve("other-" + each), "other", 0));
    }
    assertMadeHere(files("next", 0));
  }

  @Test
  void withShellsNoneIsToSpare() throws IOException {
    LogDirs withShells = new LogDirs(false);
    withShells.offer(made("silent"));
    assertThat(withShells.make(files("next", 0), "next", true)).isEmpty();
    assertThat(files("next", 0).dir()).isDirectory();
  }

  private void assertMadeHere(LogFiles files) throws IOException {
    assertThat(dirs.make(files, "a pod", true)).isEqualTo(Optional.empty());
    assertThat(files.dir()).isDirectory();
  }

  private LogFiles files(String pod, int number) {
    return new LogFiles(root.resolve(pod), "main", number);
  }

  private LogFiles made(String pod) throws IOException {
    LogFiles files = files(pod, 0);
    assertThat(dirs.make(files, pod, true)).isEmpty();
    return files;
  }

  private LogFiles offered(String pod) throws IOException {
    LogFiles files = files(pod, 0);
    assertThat(files.makeDir()).isTrue();
    dirs.offer(files);
    return files;
  }
}
