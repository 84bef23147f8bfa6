package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpareDirsTest {
  @TempDir private Path pods;
  private SpareDirs spares;

  @BeforeEach
  void open() throws IOException {
    spares = new SpareDirs(pods);
  }

  @Test
  void aPodTakesWhatAnotherHasLeft() throws IOException {
    AttemptDir old = made("old", "main");
    old.write("its script");
    assertThat(spares.keep(old)).isTrue();
    assertThat(old.podDir()).as("it is nobody's that has a name").doesNotExist();
    AttemptDir next = AttemptDir.of(pods, "next", "main", 0);
    assertThat(spares.take(next)).isTrue();
    assertThat(next.path().resolve("script")).hasContent("its script");
    assertThat(spares.take(AttemptDir.of(pods, "third", "main", 0))).isFalse();
  }

  @Test
  void itHasToBeOfAContainerOfThatNameAndOfItsFirstAttempt() throws IOException {
    assertThat(spares.keep(made("old", "main"))).isTrue();
    assertThat(spares.take(AttemptDir.of(pods, "next", "other", 0))).isFalse();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 1))).isFalse();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 0))).isTrue();
  }

  @Test
  void whatHasMoreThanItsRecordIsNotKept() throws IOException {
    AttemptDir old = made("old", "main");
    Files.createFile(old.messageFile());
    assertThat(spares.keep(old)).isFalse();
  }

  @Test
  void whatAnEarlierLifeKeptGoes() throws IOException {
    assertThat(spares.keep(made("old", "main"))).isTrue();
    assertThat(new SpareDirs(pods).take(AttemptDir.of(pods, "next", "main", 0))).isFalse();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 0))).as("nor there").isFalse();
  }

  @Test
  void logsThatNothingWasPrintedToAreTakenByTheNextPod() throws IOException {
    LogFiles old = printed("old", "");
    assertThat(spares.keepLogs(old)).isTrue();
    assertThat(old.dir()).doesNotExist();
    LogFiles next = new LogFiles(pods.resolve("logs/next"), "main", 0);
    assertThat(spares.takeLogs(next)).isTrue();
    assertThat(next.path(LogStream.STDOUT)).isEmptyFile();
    assertThat(spares.takeLogs(next)).isFalse();
  }

  @Test
  void logsStayWhereSomethingWasPrinted() throws IOException {
    LogFiles loud = printed("loud", "a line");
    assertThat(spares.keepLogs(loud)).isFalse();
    assertThat(loud.path(LogStream.STDOUT)).hasContent("a line");
  }

  @Test
  void logsStayWhereSomebodyMayStillPrint() throws IOException {
    LogFiles old = printed("old", "");
    try (OutputStream daemon = Files.newOutputStream(old.path(LogStream.STDERR))) {
      assertThat(spares.keepLogs(old)).isFalse();
      daemon.write(1);
    }
    assertThat(old.path(LogStream.STDERR)).hasSize(1);
  }

  @Test
  void logsOfAPodOfThatNameAreNotReplaced() throws IOException {
    assertThat(spares.keepLogs(printed("old", ""))).isTrue();
    LogFiles again = printed("again", "a line");
    assertThat(spares.takeLogs(again)).isFalse();
    assertThat(again.path(LogStream.STDOUT)).hasContent("a line");
  }

  private LogFiles printed(String pod, String text) throws IOException {
    LogFiles logs = new LogFiles(pods.resolve("logs").resolve(pod), "main", 0);
    Files.createDirectories(logs.dir());
    Files.writeString(logs.path(LogStream.STDOUT), text);
    Files.createFile(logs.path(LogStream.STDERR));
    return logs;
  }

  private AttemptDir made(String uid, String container) throws IOException {
    AttemptDir dir = AttemptDir.of(pods, uid, container, 0);
    dir.create();
    return dir;
  }
}
