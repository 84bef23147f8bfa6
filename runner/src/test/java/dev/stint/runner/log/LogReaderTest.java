package dev.stint.runner.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.harness.TestTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing here waits for time to pass: the test sets the times of files, and triggers the checks.
 */
@Timeout(60)
class LogReaderTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final CompletableFuture<?> NEVER = new CompletableFuture<>();

  @TempDir Path dir;
  private LogFiles files = new LogFiles(Path.of(""), "", 0);
  private LogTimes times = new LogTimes(files);

  @BeforeEach
  void nothingPrinted() {
    files = new LogFiles(dir, "main", 0);
    times = new LogTimes(files);
  }

  /** Prints as a container at a given second, and checks the files. */
  private void print(LogStream stream, int second, String text) throws IOException {
    append(stream, second, text);
    times.record();
  }

  private void append(LogStream stream, int second, String text) throws IOException {
    Path path = files.path(stream);
    Files.writeString(path, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.setLastModifiedTime(path, FileTime.from(START.plusSeconds(second)));
  }

  private String read(LogOptions options) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new LogReader(files, options, CompletableFuture.completedFuture(null))
        .copyTo(out::writeBytes, NEVER);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static LogOptions tail(long lines) {
    return new LogOptions(false, false, lines, null, null, Set.of(LogStream.values()));
  }

  private static LogOptions since(int second, boolean timestamps) {
    return new LogOptions(
        false, timestamps, null, START.plusSeconds(second), null, Set.of(LogStream.values()));
  }

  @Test
  void aContainerThatPrintedNothingHasAnEmptyLog() throws Exception {
    assertThat(read(LogOptions.ALL)).isEmpty();
    assertThat(read(tail(5))).isEmpty();
  }

  @Test
  void bothStreamsAreOneLogInTheOrderOfTheirTimes() throws Exception {
    print(LogStream.STDOUT, 1, "one\n");
    print(LogStream.STDERR, 2, "two\n");
    print(LogStream.STDOUT, 3, "three\nfour\n");
    print(LogStream.STDERR, 4, "five");
    assertThat(read(LogOptions.ALL)).isEqualTo("one\ntwo\nthree\nfour\nfive");
  }

  @Test
  void oneStreamCanBeReadAlone() throws Exception {
    print(LogStream.STDOUT, 1, "one\n");
    print(LogStream.STDERR, 2, "two\n");
    LogOptions errors = new LogOptions(false, false, null, null, null, Set.of(LogStream.STDERR));
    assertThat(read(errors)).isEqualTo("two\n");
  }

  @Test
  void eachLineHasTheTimeOfTheCheckThatFoundIt() throws Exception {
    print(LogStream.STDOUT, 1, "one\ntw");
    print(LogStream.STDOUT, 2, "o\n");
    append(LogStream.STDOUT, 3, "three\n");
    assertThat(read(since(0, true)))
        .isEqualTo(
            "2026-01-01T00:00:01Z one\n2026-01-01T00:00:02Z two\n2026-01-01T00:00:03Z three\n");
  }

  @Test
  void aLineThatACheckCutIsReadWholeIfItIsNewEnough() throws Exception {
    print(LogStream.STDOUT, 1, "one\ntw");
    print(LogStream.STDOUT, 5, "o\n");
    assertThat(read(since(5, false))).isEqualTo("two\n");
    assertThat(read(since(6, false))).isEmpty();
  }

  @Test
  void aClockThatIsSetBackDoesNotDisorderALog() throws Exception {
    print(LogStream.STDOUT, 9, "one\n");
    print(LogStream.STDOUT, 2, "two\n");
    assertThat(read(since(9, true)))
        .isEqualTo("2026-01-01T00:00:09Z one\n2026-01-01T00:00:09Z two\n");
  }

  @Test
  void theLastLinesAreThoseOfBothStreamsTogether() throws Exception {
    print(LogStream.STDOUT, 1, "a\nb\n");
    print(LogStream.STDERR, 2, "c\n");
    print(LogStream.STDOUT, 3, "d\n");
    assertThat(read(tail(2))).isEqualTo("c\nd\n");
    assertThat(read(tail(3))).isEqualTo("b\nc\nd\n");
    assertThat(read(tail(9))).isEqualTo("a\nb\nc\nd\n");
    assertThat(read(tail(0))).isEmpty();
  }

  @Test
  void aLimitCutsTheLastLine() throws Exception {
    print(LogStream.STDOUT, 1, "one\ntwo\n");
    LogOptions limited = new LogOptions(false, false, null, null, 6L, Set.of(LogStream.STDOUT));
    assertThat(read(limited)).isEqualTo("one\ntw");
  }

  @Test
  void recordedTimesSurviveARestart() throws Exception {
    print(LogStream.STDOUT, 1, "one\n");
    times = new LogTimes(files);
    times.refresh();
    print(LogStream.STDOUT, 2, "two\n");
    assertThat(Files.readAllLines(files.times())).hasSize(2);
    assertThat(read(since(2, false))).isEqualTo("two\n");
  }

  @Test
  void recordsThatAFullDiskHasJoinedAreLeftOut() throws Exception {
    print(LogStream.STDOUT, 1, "one\n");
    append(LogStream.STDOUT, 2, "two\n");
    String joined = "o 8 1767225602o 8 1767225602000000000\n";
    Files.writeString(files.times(), joined, StandardOpenOption.APPEND);
    LogMarker.dateLeftover(files);
    assertThat(read(since(0, true)))
        .isEqualTo("2026-01-01T00:00:01Z one\n2026-01-01T00:00:02Z two\n");
  }

  /** The beginning of a cut time could be read as a time in 1970. */
  @Test
  void aRecordThatAFullDiskCutsIsLeftOutAndTakesNoOtherAlong() throws Exception {
    append(LogStream.STDOUT, 1, "one\n");
    Files.createDirectory(files.times());
    assertThatThrownBy(() -> times.record()).isInstanceOf(IOException.class);
    Files.delete(files.times());
    Files.writeString(files.times(), "o 4 17672256");
    print(LogStream.STDOUT, 2, "two\n");
    Files.writeString(files.times(), "o 12 17672256", StandardOpenOption.APPEND);
    append(LogStream.STDOUT, 3, "three\n");
    LogMarker.dateLeftover(files);
    assertThat(read(since(0, true)))
        .isEqualTo(
            "2026-01-01T00:00:02Z one\n2026-01-01T00:00:02Z two\n2026-01-01T00:00:03Z three\n");
  }

  @Test
  void linesOfAnEarlierPodOfTheSameNameKeepTheirTimes() throws Exception {
    append(LogStream.STDOUT, 1, "of the old pod\n");
    LogMarker.dateLeftover(files);
    append(LogStream.STDOUT, 5, "of the new pod\n");
    assertThat(read(since(5, false))).isEqualTo("of the new pod\n");
  }

  @Test
  void aFollowerGetsLinesAsTheyArriveAndTheRestAtTheEnd() throws Exception {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    LogOptions follow = new LogOptions(true, false, null, null, null, Set.of(LogStream.values()));
    List<String> got = new CopyOnWriteArrayList<>();
    CountDownLatch first = new CountDownLatch(1);
    print(LogStream.STDOUT, 1, "one\ntw");
    Thread reader =
        Thread.ofVirtual()
            .start(() ->
                quietly(() ->
                    new LogReader(files, follow, ended)
                        .copyTo(
                            piece -> {
                              got.add(new String(piece, StandardCharsets.UTF_8));
                              first.countDown();
                            },
                            NEVER)));
    first.await();
    assertThat(got).containsExactly("one\n");
    append(LogStream.STDOUT, 2, "o\nthree");
    ended.complete(true);
    reader.join();
    assertThat(got).containsExactly("one\n", "two\nthree");
  }

  @Test
  void followingEndsWhenTheReaderIsGone() throws Exception {
    LogOptions follow = new LogOptions(true, false, null, null, null, Set.of(LogStream.values()));
    List<byte[]> got = new ArrayList<>();
    new LogReader(files, follow, NEVER).copyTo(got::add, CompletableFuture.completedFuture(null));
    assertThat(got).isEmpty();
  }

  @Test
  void onlyRunningContainersAreChecked() throws Exception {
    TestTime time = new TestTime(START);
    LogMarker marker = new LogMarker(Runnable::run, time, time, LogLimits.DEFAULT.attemptBytes());
    marker.watch(files);
    append(LogStream.STDOUT, 1, "one\n");
    time.advance(LogMarker.INTERVAL);
    append(LogStream.STDOUT, 2, "two\n");
    time.advance(LogMarker.INTERVAL);
    marker.unwatch(files, _ -> {});
    append(LogStream.STDOUT, 3, "three\n");
    time.advance(LogMarker.INTERVAL);
    assertThat(Files.readAllLines(files.times()))
        .containsExactly("o 4 1767225601000000000", "o 8 1767225602000000000");
  }

  @Test
  void aLogWithManyTimesKeepsFewOfThemAndIsCheckedLessOften() throws Exception {
    TestTime time = new TestTime(START);
    LogMarker marker = new LogMarker(Runnable::run, time, time, LogLimits.DEFAULT.attemptBytes());
    append(LogStream.STDOUT, 1, "x".repeat(LogTimes.MANY));
    long hourAgo = START.getEpochSecond() - 3600;
    Files.writeString(
        files.times(),
        IntStream.range(1, LogTimes.MANY)
            .mapToObj(i -> "o %d %d%09d%n".formatted(i, hourAgo, i))
            .collect(Collectors.joining()));
    marker.watch(files);
    time.advance(LogMarker.INTERVAL);
    int few = Files.readAllLines(files.times()).size();
    assertThat(few).isLessThan(LogTimes.MANY / 2);
    append(LogStream.STDOUT, 2, "one\n");
    time.advance(LogMarker.INTERVAL.multipliedBy(3));
    assertThat(Files.readAllLines(files.times())).hasSize(few);
    time.advance(LogMarker.INTERVAL);
    assertThat(Files.readAllLines(files.times())).hasSize(few + 1);
  }

  @Test
  void linesOfAllLengthsAreReadInOrderWheneverChecksRun() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<String> lines =
        IntStream.range(0, 60)
            .mapToObj(i -> i + "x".repeat(random.nextInt(i % 20 == 0 ? 200_000 : 90)) + "\n")
            .toList();
    String all = String.join("", lines);
    for (int from = 0, second = 1; from < all.length(); second++) {
      int to = Math.min(all.length(), from + 1 + random.nextInt(60_000));
      print(LogStream.STDOUT, second, all.substring(from, to));
      from = to;
    }
    int last = random.nextInt(lines.size() + 1);
    assertThat(read(LogOptions.ALL)).as("seed %d", seed).isEqualTo(all);
    assertThat(read(tail(last)))
        .as("seed %d, last %d", seed, last)
        .isEqualTo(lines.stream().skip(lines.size() - last).collect(Collectors.joining()));
  }

  @Test
  void aLineWithoutEndIsNotKeptInMemoryAsAWhole() throws Exception {
    String endless = "y".repeat(3 * LogCursor.LONGEST_LINE + 5);
    print(LogStream.STDOUT, 1, endless);
    assertThat(read(since(0, true))).isEqualTo("2026-01-01T00:00:01Z " + endless);
  }

  @Test
  void attemptsAreFoundByTheNamesOfTheirFiles() throws Exception {
    append(LogStream.STDOUT, 1, "");
    Files.writeString(new LogFiles(dir, "side.car", 12).path(LogStream.STDERR), "");
    assertThat(LogFiles.in(dir)).hasToString("{main=[0], side.car=[12]}");
    assertThat(LogFiles.in(dir.resolve("missing"))).isEmpty();
  }

  /** A task of a thread that may fail. */
  private interface Action {
    void run() throws Exception;
  }

  private static @Nullable Void quietly(Action action) {
    try {
      action.run();
      return null;
    } catch (Exception fault) {
      throw new AssertionError(fault);
    }
  }
}
