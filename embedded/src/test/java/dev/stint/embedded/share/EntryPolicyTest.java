package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EntryPolicyTest {
  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void aCommandTakesTheLockAtOnceAndTriesForHalfAMinute() {
    assertThat(EntryPolicy.OPEN.mayTakeLock(Duration.ZERO)).isTrue();
    assertThat(EntryPolicy.OPEN.isOver(seconds(30))).isFalse();
    assertThat(EntryPolicy.OPEN.isOver(seconds(31))).isTrue();
  }

  @Test
  void aCommandLeavesTheLockToTheOneThatHasAskedForItFirst() {
    EntryPolicy entry = new EntryPolicy(true);
    assertThat(entry.mayTakeLock(seconds(9))).isFalse();
    assertThat(entry.mayTakeLock(seconds(10))).isTrue();
    assertThat(entry.isOver(seconds(40))).isFalse();
    assertThat(entry.isOver(seconds(41))).isTrue();
  }
}
