package dev.stint.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.jobs.attempts.LogSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogPositionTest {
  private static final LogSource.View ALL = LogSource.View.of(false, null, null);

  /** Lines, several of which have the same time. */
  private static final List<String> LOG =
      List.of(
          "2026-01-01T00:00:00Z one\n",
          "2026-01-01T00:00:00.05Z two words\n",
          "2026-01-01T00:00:00.05Z two words\n",
          "2026-01-01T00:00:00.050Z \n",
          "2026-01-01T02:00:01+02:00 three é\n",
          "2026-01-01T00:00:00.7Z of the other stream\n",
          "2026-01-01T00:00:02.123456789Z 2026-01-01T00:00:00Z is a time\n");

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private LogPosition position(boolean timestamps) {
    return new LogPosition(printed::writeBytes, timestamps);
  }

  /** Returns what a server sends of the log. */
  private static byte[] from(LogSource.View view) {
    Instant since = view.since();
    return LOG.stream()
        .filter(line -> since == null || !Instant.parse(line.split(" ")[0]).isBefore(since))
        .collect(Collectors.joining())
        .getBytes(UTF_8);
  }

  private static String withoutTimes() {
    return LOG.stream().map(line -> line.split(" ", 2)[1]).collect(Collectors.joining());
  }

  private static void write(LogPosition position, byte[] bytes, int size) throws IOException {
    for (int at = 0; at < bytes.length; at += size) {
      position.write(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)));
    }
  }

  @Test
  void aLogThatBreaksOffAnywhereIsReadOnFromThere() throws IOException {
    int length = from(ALL).length;
    for (int first = 0; first <= length; first++) {
      for (int second : new int[] {0, 3, first / 2, length}) {
        printed.reset();
        LogPosition position = position(false);
        write(position, Arrays.copyOf(from(ALL), first), 7);
        position.restart();
        byte[] rest = from(position.rest(ALL));
        write(position, Arrays.copyOf(rest, Math.min(second, rest.length)), 5);
        position.restart();
        write(position, from(position.rest(ALL)), 1000);
        assertThat(printed.toString(UTF_8)).as("%d %d", first, second).isEqualTo(withoutTimes());
      }
    }
  }

  private static String line(int millis) {
    return Instant.EPOCH.plusMillis(millis) + " line " + millis + "\n";
  }

  private static String lines(IntStream millis) {
    return millis.mapToObj(LogPositionTest::line).collect(Collectors.joining());
  }

  @Test
  void aServerThatGoesByWholeSecondsRepeatsNothing() throws IOException {
    for (int last = 0; last < 80; last++) {
      printed.reset();
      LogPosition position = position(true);
      String first = lines(IntStream.rangeClosed(0, last).map(i -> 50 + 100 * i));
      position.write(first.getBytes(UTF_8));
      position.restart();
      Instant since = position.rest(ALL).since();
      int from = since == null ? 0 : (int) since.truncatedTo(ChronoUnit.SECONDS).toEpochMilli();
      String rest = lines(IntStream.range(0, 90).map(i -> 50 + 100 * i).filter(at -> at >= from));
      position.write(rest.getBytes(UTF_8));
      assertThat(printed.toString(UTF_8))
          .isEqualTo(lines(IntStream.range(0, 90).map(i -> 50 + 100 * i)));
    }
  }

  @Test
  void whatATailLeftOutComesNeitherLater() throws IOException {
    LogPosition position = position(true);
    position.write(lines(IntStream.range(17, 20)).getBytes(UTF_8));
    position.restart();
    position.write(lines(IntStream.range(0, 20)).getBytes(UTF_8));
    position.write(line(5_000).getBytes(UTF_8));
    assertThat(printed.toString(UTF_8)).isEqualTo(lines(IntStream.of(17, 18, 19, 5_000)));
  }

  @Test
  void timesArePassedOnIfAskedFor() throws IOException {
    for (int first = 0; first <= from(ALL).length; first++) {
      printed.reset();
      LogPosition position = position(true);
      write(position, Arrays.copyOf(from(ALL), first), 3);
      position.restart();
      write(position, from(position.rest(ALL)), 9);
      assertThat(printed.toByteArray()).as("%d", first).isEqualTo(from(ALL));
    }
  }

  @Test
  void aLineWhoseRestIsLostIsEnded() throws IOException {
    LogPosition position = position(false);
    position.write("2026-01-01T00:00:00Z be".getBytes(UTF_8));
    position.restart();
    position.write("2026-01-01T00:00:01Z later\n".getBytes(UTF_8));
    assertThat(printed.toString(UTF_8)).isEqualTo("be\nlater\n");
  }

  /** Returns what is printed of two streams. */
  private String printed(String first, String second) throws IOException {
    LogPosition position = position(false);
    position.write(first.getBytes(UTF_8));
    position.restart();
    position.write(second.getBytes(UTF_8));
    return printed.toString(UTF_8);
  }

  @Test
  void aMessageWithoutATimeRepeatsNothing() throws IOException {
    String message = "failed to watch the log\n";
    assertThat(
            printed(
                "2026-01-01T00:00:00Z a\n2026-01-01T00:00:01Z b\n" + message,
                message
                    + "2026-01-01T00:00:00Z a\n2026-01-01T00:00:01Z b\n2026-01-01T00:00:02Z c\n"))
        .isEqualTo("a\nb\n" + message + "c\n");
  }

  @Test
  void linesAfterAClockThatWasSetBackAreNotLost() throws IOException {
    LogPosition position = position(false);
    position.write("2026-01-01T01:00:00Z a\n2026-01-01T00:00:01Z b\n".getBytes(UTF_8));
    assertThat(position.rest(ALL).since()).isEqualTo("2026-01-01T00:00:01Z");
    position.restart();
    String rest = "2026-01-01T00:00:01Z b\n2026-01-01T00:00:02Z c\n";
    position.write(rest.getBytes(UTF_8));
    assertThat(printed.toString(UTF_8)).isEqualTo("a\nb\nc\n");
  }

  @Test
  void aFileThatWasRotatedMeanwhileHidesNothing() throws IOException {
    assertThat(
            printed("2026-01-01T00:00:00Z a\n2026-01-01T00:00:01Z b\n", "2026-01-01T00:00:02Z c\n"))
        .isEqualTo("a\nb\nc\n");
  }

  @Test
  void onlyTheLastSecondsAreCounted() throws IOException {
    LogPosition position = position(false);
    for (int second = 10; second < 60; second++) {
      position.write("2026-01-01T00:00:%dZ x\n".formatted(second).getBytes(UTF_8));
    }
    assertThat(position.rest(ALL).since()).isEqualTo("2026-01-01T00:00:54Z");
  }

  @Test
  void linesWithoutATimePassAsTheyAre() throws IOException {
    String odd = "no time\n\n2026-13-01T00:00:00Z neither\n" + "x".repeat(200) + " y\n";
    write(position(false), odd.getBytes(UTF_8), 10);
    assertThat(printed.toString(UTF_8)).isEqualTo(odd);
  }

  @Test
  void theRestOfAViewBeginsBeforeTheLastLine() throws IOException {
    LogPosition position = position(false);
    LogSource.View tail = LogSource.View.of(false, 10L, Instant.EPOCH);
    assertThat(position.rest(tail)).isEqualTo(LogSource.View.of(true, 10L, Instant.EPOCH));
    position.write("2026-01-01T00:00:01.05Z a\n".getBytes(UTF_8));
    assertThat(position.rest(tail))
        .isEqualTo(LogSource.View.of(true, null, Instant.parse("2026-01-01T00:00:01Z")));
  }
}
