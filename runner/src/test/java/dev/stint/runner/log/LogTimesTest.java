package dev.stint.runner.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTimesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration BETWEEN_CHECKS = Duration.ofMillis(250);
  private static final int CHECKS = 25_000;

  @TempDir Path dir;
  private LogFiles files = new LogFiles(Path.of(""), "", 0);

  @BeforeEach
  void nothingPrinted() {
    files = new LogFiles(dir, "main", 0);
  }

  /** Each check finds a byte more. */
  private Instant time(long check) {
    return START.plus(BETWEEN_CHECKS.multipliedBy(check));
  }

  private LogTimes checked(int checks) throws IOException {
    LogTimes times = new LogTimes(files);
    Path path = files.path(LogStream.STDOUT);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      for (int check = 1; check <= checks; check++) {
        file.setLength(check);
        Files.setLastModifiedTime(path, FileTime.from(time(check)));
        times.record();
        times.thin(time(check));
        assertThat(times.count()).isLessThan(LogTimes.MANY);
      }
    }
    return times;
  }

  @Test
  void aLongLogHasFewTimesWhichAreExactInProportionToTheirAge() throws Exception {
    LogTimes times = checked(CHECKS);
    assertThat(times.hasMany()).isTrue();
    assertThat(Files.readAllLines(files.times())).hasSizeLessThan(LogTimes.MANY + 2);
    LogTimes read = new LogTimes(files);
    read.refresh();
    assertThat(read.count()).isEqualTo(times.count());
    for (long check = 1; check <= CHECKS; check++) {
      Instant found = read.at(LogStream.STDOUT, check);
      assertThat(found).isEqualTo(times.at(LogStream.STDOUT, check));
      Duration age = Duration.between(time(check), time(CHECKS));
      assertThat(found)
          .isBetween(time(check), time(check).plus(age.dividedBy(250)).plus(BETWEEN_CHECKS));
    }
    assertThat(read.offset(LogStream.STDOUT)).isEqualTo(CHECKS);
  }

  @Test
  void theTimesOfAShortLogAreAllKept() throws Exception {
    LogTimes times = checked(1000);
    assertThat(times.hasMany()).isFalse();
    assertThat(times.count()).isEqualTo(1000);
  }

  /** A container can set such times. */
  @Test
  void timesInTheFutureAreFewToo() throws Exception {
    LogTimes times = new LogTimes(files);
    StringBuilder ahead = new StringBuilder();
    for (int i = 1; i <= LogTimes.MANY; i++) {
      ahead.append("o ").append(i).append(' ').append(4_000_000_000L + i).append("000000000\n");
    }
    Files.writeString(files.times(), ahead);
    times.refresh();
    times.thin(START);
    assertThat(times.count()).isBetween(2, LogTimes.MANY / 2);
  }
}
