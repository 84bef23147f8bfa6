package dev.stint.runner.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
class TerminationMessageTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ObjectNode FALLS_BACK =
      Json.object().put("terminationMessagePolicy", "FallbackToLogsOnError");

  @TempDir Path dir;

  private void print(LogStream stream, int second, String text) throws IOException {
    Path path = files().path(stream);
    Files.writeString(path, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.setLastModifiedTime(path, FileTime.from(START.plusSeconds(second)));
    LogMarker.dateLeftover(files());
  }

  private LogFiles files() {
    return new LogFiles(dir, "main", 0);
  }

  private String message() {
    return TerminationMessage.added(
            Exit.of(3, null, START, START), FALLS_BACK, dir.resolve("none"), files())
        .message();
  }

  @Test
  void theEndOfBothStreamsIsInTheOrderOfTheirTimes() throws Exception {
    assertThat(message()).isEmpty();
    print(LogStream.STDERR, 1, "one\n");
    print(LogStream.STDOUT, 2, "two\nthree\n");
    print(LogStream.STDERR, 3, "fo");
    print(LogStream.STDERR, 4, "ur\nfive");
    assertThat(message()).isEqualTo("one\ntwo\nthree\nfour\nfive");
  }

  @Test
  void eightyLinesAreEnough() throws Exception {
    print(LogStream.STDOUT, 1, "x\n".repeat(60));
    print(LogStream.STDERR, 2, "y\n".repeat(30));
    assertThat(message()).isEqualTo("x\n".repeat(50) + "y\n".repeat(30));
  }

  @Test
  void theLast2048BytesAreEnough() throws Exception {
    print(LogStream.STDOUT, 1, "x".repeat(3000) + "\n");
    print(LogStream.STDERR, 2, "y".repeat(99) + "\n");
    assertThat(message()).isEqualTo("x".repeat(1947) + "\n" + "y".repeat(99) + "\n");
  }

  /** Reading it whole would take minutes. */
  @Test
  void ofAHugeFileOnlyTheEndIsRead() throws Exception {
    try (RandomAccessFile file =
        new RandomAccessFile(files().path(LogStream.STDOUT).toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    print(LogStream.STDOUT, 1, "");
    print(LogStream.STDERR, 2, "why\n");
    assertThat(message()).endsWith("why\n").hasSize(2048);
  }
}
