package dev.stint.runner.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.runtime.Exit;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CrashBackoffTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final CrashBackoff backoff = new CrashBackoff();

  @Test
  void theDelayDoublesWithEachCrash() {
    assertThat(backoff.next(after(Duration.ofSeconds(1)))).isEqualTo(Duration.ZERO);
    assertThat(backoff.next(after(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(10));
    assertThat(backoff.next(after(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void aLongRunEndsTheSeries() {
    backoff.next(after(Duration.ofSeconds(1)));
    backoff.next(after(Duration.ofSeconds(1)));
    assertThat(backoff.next(after(Duration.ofMinutes(10)))).isEqualTo(Duration.ZERO);
    assertThat(backoff.next(after(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void restartsOfAnEarlierLifeCount() {
    backoff.restore(2);
    assertThat(backoff.next(after(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(20));
  }

  private static Exit after(Duration run) {
    return Exit.of(1, null, START, START.plus(run));
  }
}
