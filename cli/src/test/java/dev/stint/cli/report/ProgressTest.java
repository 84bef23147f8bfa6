package dev.stint.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.output.TerminalText;
import dev.stint.jobs.JobCounts;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");
  private static final JobCounts HALF = new JobCounts(10L, 4, 3, 5, 2, 1, 1);

  private final Progress progress = new Progress("hello", JobCounts.NONE, START);

  @Test
  void aLineHasCountsTimeRateAndTimeLeft() {
    assertThat(progress.line(HALF, START.plusSeconds(12)))
        .isEqualTo(
            "hello: 5 of 10 succeeded, 1 index failed, 2 pods failed, 3 running, 1 not ready,"
                + " 1 stopping (12s, 0.5/s, 8s left)");
  }

  @Test
  void aLastLineHasNoTimeLeft() {
    assertThat(progress.lastLine(new JobCounts(10L, 0, 0, 5, 0, 0, 0), START.plusSeconds(10)))
        .isEqualTo("hello: 5 of 10 succeeded (10s, 0.5/s)");
  }

  @Test
  void aLineHasNoRateBeforeAnythingIsDone() {
    assertThat(progress.line(new JobCounts(10L, 4, 4, 0, 0, 0, 0), START.plusSeconds(5)))
        .isEqualTo("hello: 0 of 10 succeeded, 4 running (5s)");
  }

  @Test
  void aLineHasNoTimeLeftIfTheTotalIsUnknown() {
    assertThat(progress.line(new JobCounts(null, 1, 1, 60, 0, 0, 0), START.plusSeconds(5)))
        .isEqualTo("hello: 60 succeeded, 1 running (5s, 12/s)");
  }

  @Test
  void slowRatesAreShownPerMinute() {
    assertThat(progress.line(new JobCounts(3L, 1, 1, 2, 0, 0, 0), START.plusSeconds(3600)))
        .isEqualTo("hello: 2 of 3 succeeded, 1 running (1h, 0.0/min, 30m left)");
  }

  @Test
  void workDoneBeforeTheResumptionDoesNotCountForTheRate() {
    Progress resumed = new Progress("hello", new JobCounts(100L, 0, 0, 80, 0, 0, 0), START);
    assertThat(resumed.line(new JobCounts(100L, 0, 0, 90, 0, 0, 0), START.plusSeconds(10)))
        .isEqualTo("hello: 90 of 100 succeeded (10s, 1.0/s, 10s left)");
  }

  @Test
  void survivesAClockThatGoesBack() {
    assertThat(progress.line(HALF, START.minusSeconds(3))).endsWith("(0s)");
  }

  @Test
  void drawsABarAsLongAsSettledWork() {
    assertThat(progress.bar(HALF, START.plusSeconds(12), 60, ProgressBar.ASCII))
        .isEqualTo("hello #############.........  5/10  8s left  1 index failed");
  }

  @Test
  void drawsNoBarIfTheTotalIsUnknown() {
    JobCounts queue = new JobCounts(null, 1, 1, 60, 0, 0, 0);
    assertThat(progress.bar(queue, START.plusSeconds(5), 60, ProgressBar.ASCII))
        .isEqualTo("hello 60 succeeded  1 running  12/s");
  }

  @Test
  void coloursTheBarWithoutTakingWidth() {
    String plain = progress.bar(HALF, START.plusSeconds(12), 60, ProgressBar.BLOCKS);
    String coloured =
        TerminalText.printed(
            progress.bar(HALF, START.plusSeconds(12), 60, ProgressBar.COLORED_BLOCKS));
    assertThat(coloured).contains("\u001b[32m█").isNotEqualTo(plain);
    assertThat(coloured.replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(plain);
  }

  @Test
  void fitsEveryTerminal() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      int columns = random.nextInt(1, 200);
      String name = "x".repeat(random.nextInt(1, 64));
      String bar =
          new Progress(name, JobCounts.NONE, START)
              .bar(
                  counts(random),
                  START.plusMillis(random.nextLong(10_000_000)),
                  columns,
                  ProgressBar.ASCII);
      assertThat(bar)
          .as("seed %d, %d columns", seed, columns)
          .hasSizeLessThan(Math.max(2, columns));
    }
  }

  private static JobCounts counts(Random random) {
    return new JobCounts(
        random.nextBoolean() ? null : random.nextLong(100_000),
        random.nextLong(1000),
        random.nextLong(1000),
        random.nextLong(100_000),
        random.nextLong(1000),
        random.nextLong(1000),
        random.nextLong(1000));
  }
}
