package dev.stint.runner.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The test writes the lines of files, and triggers the checks. */
@Timeout(60)
class LogCapTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final long CAP = 64 << 10;
  private static final CompletableFuture<?> NEVER = new CompletableFuture<>();

  @TempDir Path dir;
  private LogFiles files = new LogFiles(Path.of(""), "", 0);
  private LogTimes times = new LogTimes(files);
  private final LogCap cap = new LogCap(CAP, HolePunch::punch);
  private int printed;

  @BeforeEach
  void nothingPrinted() {
    files = new LogFiles(dir, "main", 0);
    times = new LogTimes(files);
  }

  /** Returns numbered lines of 16 bytes. */
  private void print(LogStream stream, int lines) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append("line %010d\n".formatted(printed++));
    }
    append(stream, text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private void append(LogStream stream, byte[] bytes) throws IOException {
    Files.write(files.path(stream), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    times.record();
  }

  private long trim() throws IOException {
    return cap.trim(files, times, files::size, NOW);
  }

  private byte[] read(LogOptions options) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new LogReader(files, options, CompletableFuture.completedFuture(null))
        .copyTo(out::writeBytes, NEVER);
    return out.toByteArray();
  }

  private List<String> lines(LogOptions options) throws Exception {
    return new String(read(options), StandardCharsets.US_ASCII).lines().toList();
  }

  private byte[] withoutNotice(byte[] log) {
    int length = CutNotice.line(times.start(LogStream.STDOUT)).length;
    return Arrays.copyOfRange(log, length, log.length);
  }

  private static LogOptions options(@Nullable Long tail, @Nullable Instant since, boolean times) {
    return new LogOptions(false, times, tail, since, null, Set.of(LogStream.values()));
  }

  @Test
  void aLogThatIsSmallEnoughIsLeftAlone() throws Exception {
    print(LogStream.STDOUT, 4096);
    assertThat(trim()).isEqualTo(CAP);
    assertThat(lines(LogOptions.ALL)).hasSize(4096);
  }

  @Test
  void theNewestLinesAreKeptWholeAndTheDiskSpaceOfTheOthersIsGivenBack() throws Exception {
    print(LogStream.STDOUT, 200_000);
    assertThat(trim()).isLessThan(CAP);
    List<String> left = lines(LogOptions.ALL);
    assertThat(left.getFirst()).isEqualTo(notice(times.start(LogStream.STDOUT)));
    assertThat(times.start(LogStream.STDOUT)).isPositive();
    left = left.subList(1, left.size());
    assertThat(left).hasSizeBetween(3000, 3100).endsWith("line 0000199999");
    assertThat(left).allMatch(line -> line.matches("line \\d{10}"));
    assertThat(files.size(LogStream.STDOUT)).as("offsets stay").isEqualTo(3_200_000);
    assertThat(blocks(files.path(LogStream.STDOUT))).isLessThan(CAP);
  }

  private static String notice(long bytes) {
    return "[stint: the first "
        + bytes
        + " bytes of this log were removed, since it was longer than --max-log-size]";
  }

  @Test
  void aCutLogSaysSoOnceWhereItBegins() throws Exception {
    print(LogStream.STDERR, 1);
    print(LogStream.STDOUT, 100_000);
    trim();
    String notice = notice(times.start(LogStream.STDOUT));
    assertThat(lines(LogOptions.ALL)).first().isEqualTo(notice);
    assertThat(lines(LogOptions.ALL)).filteredOn(line -> line.contains("stint")).hasSize(1);
    assertThat(lines(options(5000L, null, true)).getFirst()).matches("2\\d{3}-.*Z \\[stint: .*");
    assertThat(lines(options(5L, null, false))).noneMatch(line -> line.contains("stint"));
    byte[] file = Files.readAllBytes(files.path(LogStream.STDOUT));
    assertThat(new String(file, StandardCharsets.US_ASCII).replace("\0", ""))
        .as("the file itself, without its hole")
        .startsWith(notice + "\nline ");
    trim();
    print(LogStream.STDOUT, 100_000);
    trim();
    assertThat(lines(LogOptions.ALL)).filteredOn(line -> line.contains("stint")).hasSize(1);
  }

  /** Returns the size on disk in bytes, like du. */
  private static long blocks(Path file) throws Exception {
    Process du = new ProcessBuilder("du", "--block-size=1", file.toString()).start();
    String said = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Long.parseLong(said.split("\t", 2)[0]);
  }

  @Test
  void aCappedLogIsReadFromItsEndFromATimeAndWithTimes() throws Exception {
    print(LogStream.STDOUT, 100_000);
    trim();
    print(LogStream.STDOUT, 10);
    assertThat(lines(options(3L, null, false)))
        .containsExactly("line 0000100007", "line 0000100008", "line 0000100009");
    int all = lines(LogOptions.ALL).size();
    assertThat(lines(options(1_000_000L, null, false))).hasSize(all);
    assertThat(lines(options(null, Instant.EPOCH, false))).hasSize(all);
    assertThat(lines(options(null, Instant.MAX.minusSeconds(1), false))).isEmpty();
    assertThat(lines(options(1L, null, true)).getFirst())
        .matches("2\\d{3}-\\d\\d-\\d\\dT.*Z line 0000100009");
  }

  /** Reading the hole backwards would take minutes. */
  @Test
  void aReaderOfTheEndSkipsAHugePartThatIsFreedMeanwhile() throws Exception {
    print(LogStream.STDOUT, 10);
    Path path = files.path(LogStream.STDOUT);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    AtomicInteger asked = new AtomicInteger();
    LogCursor.Kept freed = () -> asked.incrementAndGet() < 5 ? 0 : (1L << 40) - CAP;
    try (LogCursor cursor = new LogCursor(files, LogStream.STDOUT, freed)) {
      assertThat(cursor.tail(0, 1L << 40, 5)).isEqualTo(new LogCursor.Tail((1L << 40) - CAP, 1));
    }
    assertThat(asked).hasValue(5);
  }

  @Test
  void aReaderOfTheEndOfAFileThatWasEmptiedEndsAtOnce() throws Exception {
    print(LogStream.STDOUT, 10);
    try (LogCursor cursor = new LogCursor(files, LogStream.STDOUT, () -> 0)) {
      assertThat(cursor.tail(0, 1L << 60, 5)).isEqualTo(new LogCursor.Tail(0, 1));
    }
  }

  @Test
  void aRestartContinuesAtTheOldPosition() throws Exception {
    print(LogStream.STDOUT, 100_000);
    trim();
    times = new LogTimes(files);
    times.refresh();
    print(LogStream.STDOUT, 100_000);
    trim();
    assertThat(lines(LogOptions.ALL)).hasSizeBetween(3000, 3100).endsWith("line 0000199999");
  }

  @Test
  void aSlowFollowerSkipsTruncatedLines() throws Exception {
    CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    LogOptions follow = new LogOptions(true, false, null, null, null, Set.of(LogStream.STDOUT));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    print(LogStream.STDOUT, 1);
    new LogReader(files, follow, ended)
        .copyTo(
            piece -> {
              if (out.size() == 0) {
                printAndTrim();
                ended.complete(null);
              }
              out.writeBytes(piece);
            },
            NEVER);
    List<String> seen = out.toString(StandardCharsets.US_ASCII).lines().toList();
    assertThat(seen).startsWith("line 0000000000").endsWith("line 0000199999");
    assertThat(seen).hasSizeBetween(3000, 3101).allMatch(line -> line.matches("line \\d{10}"));
  }

  private void printAndTrim() {
    try {
      print(LogStream.STDOUT, 199_999);
      trim();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Test
  void binaryGarbageIsKeptByteForByte() throws Exception {
    byte[] garbage = new byte[300_000];
    new Random(6).nextBytes(garbage);
    append(LogStream.STDOUT, garbage);
    trim();
    byte[] left = withoutNotice(read(LogOptions.ALL));
    assertThat(left.length).isGreaterThan((int) (CAP / 2));
    assertThat(left)
        .isEqualTo(Arrays.copyOfRange(garbage, garbage.length - left.length, garbage.length));
  }

  @Test
  void zerosWithoutEndAreALogToo() throws Exception {
    append(LogStream.STDOUT, new byte[3 << 20]);
    trim();
    assertThat(withoutNotice(read(LogOptions.ALL))).hasSize((int) (CAP - CAP / 4)).containsOnly(0);
  }

  @Test
  void aLineThatIsLongerThanWhatIsKeptIsCut() throws Exception {
    append(LogStream.STDOUT, ("x".repeat(200_000) + "\n").getBytes(StandardCharsets.US_ASCII));
    trim();
    assertThat(lines(LogOptions.ALL))
        .containsExactly(
            notice(times.start(LogStream.STDOUT)), "x".repeat((int) (CAP - CAP / 4) - 1));
  }

  @Test
  void aFileIsEmptiedIfTheFileSystemCannotPunchHoles() throws Exception {
    LogCap emptying = new LogCap(CAP, (_, _) -> false);
    print(LogStream.STDOUT, 100_000);
    print(LogStream.STDERR, 1);
    emptying.trim(files, times, files::size, NOW);
    assertThat(files.size(LogStream.STDOUT)).isZero();
    print(LogStream.STDOUT, 2);
    assertThat(lines(LogOptions.ALL))
        .containsExactly("line 0000100000", "line 0000100001", "line 0000100002");
  }

  @Test
  void aQuietStreamIsKeptWholeWhenTheOtherOneIsTruncated() throws Exception {
    print(LogStream.STDERR, 5);
    print(LogStream.STDOUT, 100_000);
    trim();
    List<String> left = new ArrayList<>(lines(LogOptions.ALL));
    assertThat(left).contains("line 0000000000", "line 0000000004", "line 0000100004");
    assertThat(LogCap.shares(Map.of(LogStream.STDOUT, 900L, LogStream.STDERR, 900L), 100))
        .isEqualTo(Map.of(LogStream.STDOUT, 50L, LogStream.STDERR, 50L));
    assertThat(LogCap.shares(Map.of(LogStream.STDOUT, 10L, LogStream.STDERR, 900L), 100))
        .isEqualTo(Map.of(LogStream.STDOUT, 10L, LogStream.STDERR, 90L));
  }

  @Test
  void aFollowerOfOneStreamGetsItsKeptLines() throws Exception {
    CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    print(LogStream.STDOUT, 1);
    try (LogTail tail = new LogTail(files, LogStream.STDOUT, ended)) {
      printAndTrim();
      ended.complete(null);
      String heard = new String(tail.readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(heard.lines()).hasSizeBetween(3000, 3100).endsWith("line 0000199999");
    }
  }
}
