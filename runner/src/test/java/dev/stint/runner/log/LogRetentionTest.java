package dev.stint.runner.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRetentionTest {
  private static final Duration WEEK = Duration.ofDays(7);

  @TempDir Path root;
  private final TestTime time = new TestTime();

  /** Runs during a check: after the first request for the logs in use. */
  private Runnable meanwhile = () -> {};

  private int asked;
  private LogRetention.InUse inUse = new LogRetention.InUse(true, Set.of(), Set.of());

  private LogRetention retention(long bytes) {
    return retention(bytes, WEEK);
  }

  private LogRetention retention(long bytes, Duration age) {
    LogLimits limits = new LogLimits(LogLimits.LEAST_ATTEMPT_BYTES, age, bytes);
    return new LogRetention(
        root,
        limits,
        Runnable::run,
        time,
        time,
        () -> {
          if (asked++ % 2 == 1) {
            meanwhile.run();
          }
          return CompletableFuture.completedFuture(inUse);
        });
  }

  /** Adds an attempt that ended this long ago and printed this much. */
  private LogFiles log(String pod, int attempt, Duration ago, int bytes) throws IOException {
    Path dir = Files.createDirectories(root.resolve("default").resolve("job").resolve(pod));
    LogFiles files = new LogFiles(dir, "main", attempt);
    for (LogStream stream : LogStream.values()) {
      Path path = files.path(stream);
      Files.write(path, new byte[stream == LogStream.STDOUT ? bytes : 0]);
      Files.setLastModifiedTime(path, FileTime.from(time.instant().minus(ago)));
    }
    age(dir);
    return files;
  }

  private void age(Path dir) throws IOException {
    for (Path each = dir; each != null && !each.equals(root); each = each.getParent()) {
      Files.setLastModifiedTime(each, FileTime.from(time.instant().minus(WEEK)));
    }
  }

  private static boolean kept(LogFiles files) {
    return Files.exists(files.path(LogStream.STDOUT));
  }

  @Test
  void oldLogsAreRemovedAtTheStart() throws Exception {
    LogFiles old = log("a", 0, WEEK.plusSeconds(1), 10);
    LogFiles young = log("a", 1, WEEK.minusSeconds(1), 10);
    retention(1000).start();
    assertThat(kept(old)).isFalse();
    assertThat(kept(young)).isTrue();
  }

  @Test
  void theOldestGoFirstUntilTheOthersAreSmallEnough() throws Exception {
    LogFiles oldest = log("a", 0, Duration.ofHours(3), 10);
    LogFiles middle = log("b", 0, Duration.ofHours(2), 500);
    LogFiles newest = log("c", 0, Duration.ofHours(1), 500);
    retention(1000).start();
    assertThat(kept(oldest)).isFalse();
    assertThat(kept(middle)).isTrue();
    assertThat(kept(newest)).isTrue();
  }

  @Test
  void recordsOfManySilentJobsCountTowardsTheSize() throws Exception {
    for (int job = 0; job < 10; job++) {
      Path dir = Files.createDirectories(root.resolve("default").resolve("job-" + job));
      Path records = Files.writeString(dir.resolve("_attempts.jsonl"), "{}\n");
      Instant ended = time.instant().minus(Duration.ofHours(20 - job));
      Files.setLastModifiedTime(records, FileTime.from(ended));
      Files.setLastModifiedTime(dir, FileTime.from(ended));
    }
    retention(4 * (8 << 10)).start();
    try (Stream<Path> all = Files.walk(root)) {
      assertThat(all.filter(Files::isRegularFile).filter(file -> file.endsWith("_attempts.jsonl")))
          .extracting(file -> file.getParent().getFileName().toString())
          .as("the four newest, of a block for the file and one for its directory")
          .containsExactlyInAnyOrder("job-6", "job-7", "job-8", "job-9");
    }
  }

  @Test
  void aSparseLogCountsForWhatItTakesUp() throws Exception {
    LogFiles sparse = log("a", 0, Duration.ofHours(3), 300_000);
    LogTimes times = new LogTimes(sparse);
    new LogCap(LogLimits.LEAST_ATTEMPT_BYTES, HolePunch::punch)
        .trim(sparse, times, sparse::size, time.instant());
    assertThat(sparse.kept(time.instant()).bytes()).isLessThan(LogLimits.LEAST_ATTEMPT_BYTES);
  }

  @Test
  void aLogWithDamagedTimesIsRemovedLikeTheOthers() throws Exception {
    LogFiles damaged = log("a", 0, WEEK.plusSeconds(1), 10);
    LogFiles old = log("b", 0, WEEK.plusSeconds(1), 10);
    Files.writeString(damaged.times(), "o 10 17672256o 10 1767225600000000000\n");
    retention(1000).start();
    assertThat(kept(damaged)).isFalse();
    assertThat(kept(old)).isFalse();
  }

  @Test
  void aLogThatCannotBeReadKeepsNoOtherOne() throws Exception {
    LogFiles unreadable = log("a", 0, WEEK.plusSeconds(1), 10);
    LogFiles old = log("b", 0, WEEK.plusSeconds(1), 10);
    Files.createDirectories(unreadable.times().resolve("not-a-file"));
    retention(1000).start();
    assertThat(kept(unreadable)).isTrue();
    assertThat(kept(old)).isFalse();
  }

  /** A container sets such times, and a clock that was ahead leaves them. */
  @Test
  void aTimeInTheFutureMakesALogNoYoungerThanTheCheckThatFindsIt() throws Exception {
    LogFiles ahead = log("a", 0, Duration.ofDays(-36500), 600);
    retention(1000).start();
    assertThat(kept(ahead)).isTrue();
    LogFiles later = log("b", 0, Duration.ofMinutes(-30), 500);
    time.advance(Duration.ofHours(1));
    assertThat(kept(later)).isTrue();
    assertThat(kept(ahead)).isFalse();
  }

  @Test
  void logsAndRecordsWithTimesInTheFutureBecomeOld() throws Exception {
    LogFiles printed = log("a", 0, Duration.ofDays(-36500), 10);
    LogFiles silent = log("b", 0, Duration.ofDays(-36500), 0);
    Path job = Files.createDirectories(root.resolve("default/silent"));
    Path records = Files.writeString(job.resolve("_attempts.jsonl"), "{}\n");
    Instant ahead = time.instant().plus(Duration.ofDays(36500));
    Files.setLastModifiedTime(silent.dir(), FileTime.from(ahead));
    Files.setLastModifiedTime(records, FileTime.from(ahead));
    Files.setLastModifiedTime(job, FileTime.from(time.instant().minus(WEEK)));
    retention(1 << 20).start();
    assertThat(List.of(printed, silent)).allMatch(LogRetentionTest::kept);
    assertThat(records).exists();
    time.advance(WEEK.plusHours(2));
    assertThat(List.of(printed, silent)).noneMatch(LogRetentionTest::kept);
    assertThat(records).doesNotExist();
  }

  @Test
  void logsOfRunningAttemptsAreKept() throws Exception {
    LogFiles running = log("a", 0, WEEK.multipliedBy(2), 5000);
    inUse = new LogRetention.InUse(true, Set.of(running), Set.of(running.dir()));
    retention(1000).start();
    assertThat(kept(running)).isTrue();
  }

  @Test
  void aPodThatStartsDuringACheckKeepsItsLogs() throws Exception {
    LogFiles over = log("a", 0, WEEK.multipliedBy(2), 0);
    Files.setLastModifiedTime(over.dir(), FileTime.fromMillis(0));
    LogFiles begins = new LogFiles(over.dir().resolveSibling("b"), "main", 0);
    meanwhile =
        () -> {
          try {
            Files.move(over.dir(), begins.dir());
          } catch (IOException fault) {
            throw new UncheckedIOException(fault);
          }
        };
    retention(1000).start();
    assertThat(kept(begins)).isTrue();
  }

  @Test
  void aLogThatGrowsDuringACheckIsKept() throws Exception {
    LogFiles ends = log("a", 0, WEEK.multipliedBy(2), 10);
    meanwhile = () -> printTo(ends);
    retention(1000).start();
    assertThat(kept(ends)).isTrue();
  }

  private void printTo(LogFiles files) {
    Path path = files.path(LogStream.STDOUT);
    try {
      Files.writeString(path, "its result");
      Files.setLastModifiedTime(path, FileTime.from(time.instant()));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Test
  void anEmptyLogIsAsOldAsItsDirectory() throws Exception {
    LogFiles silent = log("a", 0, WEEK.multipliedBy(2), 0);
    Files.setLastModifiedTime(silent.dir(), FileTime.from(time.instant()));
    retention(1000).start();
    assertThat(kept(silent)).isTrue();
  }

  @Test
  void aFailedCheckIsRepeated() throws Exception {
    LogFiles old = log("a", 0, WEEK.multipliedBy(2), 10);
    meanwhile =
        () -> {
          throw new IllegalStateException("once");
        };
    retention(1000).start();
    meanwhile = () -> {};
    time.advance(Duration.ofHours(1));
    assertThat(kept(old)).isFalse();
  }

  @Test
  void nothingIsRemovedBeforeRunningPodsAreKnown() throws Exception {
    LogFiles old = log("a", 0, WEEK.multipliedBy(2), 10);
    inUse = new LogRetention.InUse(false, Set.of(), Set.of());
    retention(1000).start();
    assertThat(kept(old)).isTrue();
    inUse = new LogRetention.InUse(true, Set.of(), Set.of());
    time.advance(Duration.ofMinutes(1));
    assertThat(kept(old)).isFalse();
  }

  @Test
  void logsAreCheckedEveryHourAcrossRestarts() throws Exception {
    retention(1000).start();
    LogFiles old = log("a", 0, WEEK.multipliedBy(2), 10);
    retention(1000).start();
    assertThat(kept(old)).as("looked at just now").isTrue();
    time.advance(Duration.ofHours(1));
    assertThat(kept(old)).isFalse();
  }

  @Test
  void logsThatAreKeptForMinutesAreCheckedWithinMinutes() throws Exception {
    Duration age = Duration.ofMinutes(5);
    retention(1000, age).start();
    LogFiles old = log("a", 0, Duration.ofMinutes(6), 10);
    Path namespace = root.resolve("default");
    Path records = Files.writeString(root.resolve("default/job/_attempts.jsonl"), "{}\n");
    Files.setLastModifiedTime(records, FileTime.from(time.instant()));
    age(old.dir());
    time.advance(age);
    assertThat(kept(old)).isFalse();
    for (Path dir : List.of(old.dir(), old.dir().getParent(), old.dir().getParent(), namespace)) {
      age(dir);
      time.advance(age);
    }
    assertThat(namespace).doesNotExist();
  }

  @Test
  void muchOutputTriggersACheckAtOnce() throws Exception {
    LogRetention retention = retention(100 << 20);
    retention.start();
    LogFiles old = log("a", 0, WEEK.multipliedBy(2), 10);
    retention.onAttemptEnd(10 << 20);
    assertThat(kept(old)).isTrue();
    retention.onAttemptEnd(10 << 20);
    assertThat(kept(old)).isFalse();
  }

  @Test
  void emptyDirectoriesGoUnlessSomethingMayBeginInThem() throws Exception {
    LogFiles gone = log("a", 0, WEEK.multipliedBy(2), 10);
    LogFiles begins = log("b", 0, WEEK.multipliedBy(2), 10);
    Path records = Files.writeString(root.resolve("default/job/_attempts.jsonl"), "{}\n");
    inUse = new LogRetention.InUse(true, Set.of(), Set.of(begins.dir()));
    retention(1 << 20).start();
    assertThat(kept(gone)).isFalse();
    age(gone.dir());
    age(begins.dir());
    time.advance(Duration.ofHours(1));
    assertThat(gone.dir()).doesNotExist();
    assertThat(records).exists();
    inUse = new LogRetention.InUse(true, Set.of(), Set.of());
    age(begins.dir());
    time.advance(Duration.ofHours(1));
    assertThat(begins.dir()).doesNotExist();
    Files.setLastModifiedTime(records, FileTime.from(time.instant().minus(WEEK.minusDays(1))));
    age(root.resolve("default/job"));
    time.advance(Duration.ofHours(1));
    assertThat(records).as("of attempts whose logs could still be there").exists();
    Files.setLastModifiedTime(records, FileTime.from(time.instant().minus(WEEK)));
    for (int look = 0; look < 2; look++) {
      age(root.resolve("default/job"));
      time.advance(Duration.ofHours(1));
    }
    assertThat(root.resolve("default/job")).doesNotExist();
  }
}
