package dev.stint.runner.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogMarkerTest {
  @TempDir Path dir;

  private final TestTime time = new TestTime();
  private Instant asleepUntil = Instant.MIN;
  private int looks;

  /** The machine sleeps between the first look at the clock and the second. */
  private Instant now() {
    Instant now = time.instant();
    if (looks++ == 1) {
      asleepUntil = now.plus(Duration.ofHours(8));
    }
    return now.isBefore(asleepUntil) ? asleepUntil : now;
  }

  @Test
  void aSleepDuringACheckDelaysTheNextOneByAFewSecondsOnly() throws IOException {
    LogFiles files = new LogFiles(dir, "main", 0);
    for (LogStream stream : LogStream.values()) {
      Files.createFile(files.path(stream));
    }
    LogMarker marker =
        new LogMarker(Runnable::run, this::now, time, LogLimits.DEFAULT.attemptBytes());
    marker.watch(files);
    append(files, "one\n");
    time.advance(LogMarker.INTERVAL);
    assertThat(Files.readAllLines(files.times())).hasSize(1);

    append(files, "two\n");
    time.advance(LogMarker.LONGEST_REST);
    assertThat(Files.readAllLines(files.times())).hasSize(2);
  }

  private static void append(LogFiles files, String text) throws IOException {
    Files.writeString(files.path(LogStream.STDOUT), text, StandardOpenOption.APPEND);
  }
}
