package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirsTest {
  @TempDir private Path root;
  private LogDirs dirs;

  @BeforeEach
  void open() throws IOException {
    dirs = new LogDirs(Files.createDirectory(root.resolve("pods")));
  }

  @Test
  void logsThatNothingWasPrintedToAreTakenByTheNextPod() throws IOException {
    LogFiles old = printed("old", "");
    assertThat(dirs.leave(old.dir(), "old")).isTrue();
    assertThat(dirs.recycle(old)).isTrue();
    assertThat(old.dir()).doesNotExist();
    LogFiles next = made("next", 0);
    assertThat(next.path(LogStream.STDOUT)).isEmptyFile();
    assertThat(next.path(LogStream.STDERR)).isEmptyFile();
    assertThat(dirs.leave(next.dir(), "next")).isTrue();
  }

  @Test
  void logsStayWhereSomethingWasPrinted() throws IOException {
    LogFiles loud = printed("loud", "a line");
    assertThat(dirs.recycle(loud)).isFalse();
    assertThat(loud.path(LogStream.STDOUT)).hasContent("a line");
  }

  @Test
  void logsStayWhereSomebodyMayStillPrint() throws IOException {
    LogFiles old = printed("old", "");
    try (var daemon = Files.newOutputStream(old.path(LogStream.STDERR))) {
      assertThat(dirs.recycle(old)).isFalse();
      daemon.write(1);
    }
    assertThat(old.path(LogStream.STDERR)).hasSize(1);
  }

  @Test
  void logsStayWhileSomebodyReadsThem() throws IOException {
    LogFiles old = printed("old", "");
    try (Closeable _ = Files.newInputStream(old.path(LogStream.STDOUT))) {
      assertThat(dirs.recycle(old)).isFalse();
    }
    assertThat(dirs.recycle(old)).isTrue();
  }

  @Test
  void logsStayWhereThereIsMoreThanThoseOfOneAttempt() throws IOException {
    LogFiles old = printed("old", "");
    Files.createFile(old.times());
    assertThat(dirs.recycle(old)).isFalse();
    assertThat(dirs.recycle(printed("again", 1, ""))).isFalse();
  }

  @Test
  void aDirectoryThatTwoPodsOfANameHadIsNeithersAlone() throws IOException {
    assertThat(dirs.recycle(printed("spare", ""))).isTrue();
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
    assertThat(dirs.recycle(printed("spare", ""))).isTrue();
    dirs.make(next, "next");
    assertThat(next.dir()).isEmptyDirectory();
  }

  @Test
  void theDirectoryIsAsOldAsThePodThatTakesIt() throws IOException {
    LogFiles old = printed("old", "");
    Files.setLastModifiedTime(old.dir(), FileTime.fromMillis(0));
    assertThat(dirs.recycle(old)).isTrue();
    assertThat(Files.getLastModifiedTime(made("next", 0).dir()))
        .isGreaterThan(FileTime.fromMillis(0));
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
