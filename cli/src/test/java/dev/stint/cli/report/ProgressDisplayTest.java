package dev.stint.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.jobs.JobCounts;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressDisplayTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");
  private static final Progress PROGRESS = new Progress("hello", JobCounts.NONE, START);
  private static final JobCounts ONE = new JobCounts(2L, 1, 1, 1, 0, 0, 0);
  private static final JobCounts TWO = new JobCounts(2L, 0, 0, 2, 0, 0, 0);

  @Test
  void writesALineEveryFiveSecondsWithoutATerminal() {
    Recorded recorded = Recorded.plain();
    ProgressDisplay display = new ProgressDisplay(recorded.console(), PROGRESS);
    display.show(ONE, START.plusSeconds(4));
    display.show(ONE, START.plusSeconds(5));
    display.show(TWO, START.plusSeconds(9));
    display.show(TWO, START.plusSeconds(10));
    assertThat(recorded.err())
        .containsExactly(
            "stint: hello: 1 of 2 succeeded, 1 running (5s, 0.2/s, 5s left)",
            "stint: hello: 2 of 2 succeeded (10s, 0.2/s)");
    assertThat(recorded.out()).isEmpty();
  }

  @Test
  void repeatsALineThatHasNotChangedOnlyEachMinute() {
    Recorded recorded = Recorded.plain();
    ProgressDisplay display = new ProgressDisplay(recorded.console(), PROGRESS);
    display.show(ONE, START.plusSeconds(5));
    display.show(ONE, START.plusSeconds(64));
    assertThat(recorded.err()).hasSize(1);
    display.show(ONE, START.plusSeconds(65));
    assertThat(recorded.err()).hasSize(2);
  }

  @Test
  void redrawsABarOnATerminalTenTimesASecondAtMost() {
    Recorded recorded = terminal(Map.of());
    ProgressDisplay display = new ProgressDisplay(recorded.console(), PROGRESS);
    display.show(ONE, START);
    display.show(TWO, START.plusMillis(99));
    assertThat(recorded.errBytes().toString(StandardCharsets.UTF_8))
        .startsWith("\r\u001b[Khello ")
        .doesNotContain("2/2");
    display.show(TWO, START.plusMillis(100));
    assertThat(recorded.errBytes().toString(StandardCharsets.UTF_8)).contains("2/2");
  }

  @Test
  void removesTheBarBeforeItWritesALine() {
    Recorded recorded = terminal(Map.of());
    ProgressDisplay display = new ProgressDisplay(recorded.console(), PROGRESS);
    display.show(ONE, START);
    display.say("look");
    assertThat(recorded.errBytes().toString(StandardCharsets.UTF_8))
        .endsWith("\r\u001b[Kstint: look" + System.lineSeparator());
  }

  @Test
  void usesNoColourIfNoneIsWanted() {
    assertThat(ProgressBar.of(terminal(Map.of()).console())).isEqualTo(ProgressBar.COLORED_BLOCKS);
    assertThat(ProgressBar.of(terminal(Map.of("NO_COLOR", "1")).console()))
        .isEqualTo(ProgressBar.BLOCKS);
    assertThat(ProgressBar.of(terminal(Map.of("NO_COLOR", "")).console()))
        .isEqualTo(ProgressBar.COLORED_BLOCKS);
    assertThat(ProgressBar.of(Recorded.plain().console())).isEqualTo(ProgressBar.BLOCKS);
  }

  @Test
  void usesAsciiIfTheTerminalSupportsNothingElse() {
    Recorded ascii = Recorded.of("", Map.of(), true, StandardCharsets.US_ASCII);
    assertThat(ProgressBar.of(ascii.console())).isEqualTo(ProgressBar.ASCII);
  }

  @Test
  void writesLinesToATerminalThatCannotMoveItsCursor() {
    Recorded dumb = terminal(Map.of("TERM", "dumb"));
    new ProgressDisplay(dumb.console(), PROGRESS).show(ONE, START.plusSeconds(5));
    assertThat(dumb.err()).singleElement().asString().startsWith("stint: hello: 1 of 2");
  }

  private static Recorded terminal(Map<String, String> environment) {
    return Recorded.of("", environment, true, StandardCharsets.UTF_8);
  }
}
