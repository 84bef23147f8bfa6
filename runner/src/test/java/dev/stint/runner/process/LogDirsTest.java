package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirsTest {
  @TempDir private Path root;
  private final LogDirs dirs = new LogDirs();

  @Test
  void logsThatNothingWasPrintedToAreTakenByTheNextPod() throws IOException {
    LogFiles old = printed("old", "");
    assertThat(dirs.leave(old.dir(), "old")).isTrue();
    dirs.offer(old);
    LogFiles next = made("of/another/job", 0);
    assertThat(old.dir()).doesNotExist();
    assertThat(next.path(LogStream.STDOUT)).isEmptyFile();
    assertThat(next.path(LogStream.STDERR)).isEmptyFile();
    assertThat(dirs.isOwn(next.dir(), "of/another/job")).isTrue();
    assertThat(made("third", 0).dir()).isEmptyDirectory();
  }

  @Test
  void theyAreTakenByAContainerOfTheSameName() throws IOException {
    dirs.offer(printed("old", ""));
    LogFiles other = new LogFiles(root.resolve("other"), "other", 0);
    dirs.make(other, "other");
    assertThat(other.dir()).isEmptyDirectory();
    assertThat(made("next", 0).path(LogStream.STDOUT)).exists();
  }

  @Test
  void logsStayWhereSomethingWasPrintedAfterAll() throws IOException {
    LogFiles loud = printed("loud", "a line");
    dirs.offer(loud);
    assertThat(made("next", 0).dir()).isEmptyDirectory();
    assertThat(loud.path(LogStream.STDOUT)).hasContent("a line");
  }

  @Test
  void logsStayWhereSomebodyMayStillPrint() throws IOException {
    LogFiles old = printed("old", "");
    try (var daemon = Files.newOutputStream(old.path(LogStream.STDERR))) {
      dirs.offer(old);
      assertThat(made("next", 0).dir()).isEmptyDirectory();
      daemon.write(1);
    }
    assertThat(old.path(LogStream.STDERR)).hasSize(1);
  }

  @Test
  void logsStayWhileSomebodyReadsThemAndOthersAreTaken() throws IOException {
    LogFiles free = printed("free", "");
    LogFiles read = printed("read", "");
    dirs.offer(free);
    dirs.offer(read);
    try (Closeable _ = Files.newInputStream(read.path(LogStream.STDOUT))) {
      assertThat(made("next", 0).path(LogStream.STDOUT)).exists();
    }
    assertThat(read.dir()).exists();
    assertThat(free.dir()).doesNotExist();
  }

  @Test
  void logsStayWhereThereIsMoreThanThoseOfOneAttempt() throws IOException {
    LogFiles dated = printed("dated", "");
    Files.createFile(dated.times());
    dirs.offer(dated);
    dirs.offer(printed("again", 1, ""));
    assertThat(made("next", 0).dir()).isEmptyDirectory();
  }

  @Test
  void whatIsGoneMeanwhileIsNotTaken() throws IOException {
    LogFiles left = printed("left", "");
    LogFiles gone = printed("gone", "");
    dirs.offer(left);
    dirs.offer(gone);
    Directories.delete(gone.dir());
    assertThat(made("next", 0).path(LogStream.STDOUT)).exists();
    assertThat(left.dir()).doesNotExist();
  }

  @Test
  void logsOfAPodWhoseNameCameAgainAreNotTaken() throws IOException {
    LogFiles old = printed("pod", "");
    assertThat(dirs.leave(old.dir(), "pod")).isTrue();
    dirs.offer(old);
    dirs.make(old, "again");
    assertThat(made("next", 0).dir()).isEmptyDirectory();
    assertThat(dirs.leave(old.dir(), "again")).isFalse();
  }

  @Test
  void aDirectoryThatTwoPodsOfANameHadIsNeithersAlone() throws IOException {
    dirs.offer(printed("silent", ""));
    LogFiles files = made("pod", 0);
    dirs.make(files, "twin");
    assertThat(dirs.leave(files.dir(), "twin")).isFalse();
    assertThat(dirs.leave(files.dir(), "pod")).isFalse();
  }

  @Test
  void aPodThatMadeNoDirectoryLeavesThatOfAnotherAlone() throws IOException {
    LogFiles files = made("pod", 0);
    assertThat(dirs.leave(files.dir(), "twin")).isFalse();
    assertThat(dirs.leave(files.dir(), "pod")).isTrue();
  }

  @Test
  void aDirectoryThatSomebodyIsAboutToWriteToIsNotReplaced() throws IOException {
    LogFiles next = made("next", 0);
    dirs.offer(printed("silent", ""));
    dirs.make(next, "next");
    assertThat(next.dir()).isEmptyDirectory();
  }

  @Test
  void theDirectoryIsAsOldAsThePodThatTakesIt() throws IOException {
    LogFiles old = printed("old", "");
    Files.setLastModifiedTime(old.dir(), FileTime.fromMillis(0));
    dirs.offer(old);
    LogFiles next = made("next", 0);
    assertThat(old.dir()).doesNotExist();
    assertThat(Files.getLastModifiedTime(next.dir())).isGreaterThan(FileTime.fromMillis(0));
  }

  @Test
  void onlyTheLastOnesAreRemembered() throws IOException {
    LogFiles first = printed("first", "");
    dirs.offer(first);
    for (int each = 0; each < 256; each++) {
      dirs.offer(new LogFiles(root.resolve("gone-" + each), "main", 0));
    }
    assertThat(made("next", 0).dir()).isEmptyDirectory();
    assertThat(first.dir()).exists();
  }

  private LogFiles made(String pod, int number) throws IOException {
    LogFiles files = new LogFiles(root.resolve("logs").resolve(pod), "main", number);
    dirs.make(files, pod);
    return files;
  }

  private LogFiles printed(String pod, String text) throws IOException {
    return printed(pod, 0, text);
  }

  private LogFiles printed(String pod, int number, String text) throws IOException {
    LogFiles logs = made(pod, number);
    Files.writeString(logs.path(LogStream.STDOUT), text);
    Files.createFile(logs.path(LogStream.STDERR));
    return logs;
  }
}
