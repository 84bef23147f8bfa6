package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
  private static final Duration ALMOST = KeepAlive.SILENCE.minusMillis(1);

  private final TestTime time = new TestTime();
  private int pings;
  private int ends;
  private final KeepAlive keepAlive = new KeepAlive(time, () -> pings++, () -> ends++);

  @BeforeEach
  void start() {
    keepAlive.start();
    keepAlive.onReading(true);
  }

  @Test
  void aPingIsSentInEachIntervalWhileTheServerAnswers() {
    for (int i = 1; i <= 50; i++) {
      time.advance(KeepAlive.INTERVAL);
      keepAlive.onFrame();
      assertThat(pings).isEqualTo(i);
    }
    assertThat(ends).isZero();
  }

  @Test
  void aSilentServerIsDeadAfterAMinute() {
    time.advance(ALMOST);
    assertThat(keepAlive.isDead()).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(keepAlive.isDead()).isTrue();
    assertThat(ends).isEqualTo(1);
    assertThat(time.armed()).isZero();
  }

  @Test
  void aServerIsNotSilentWhileNobodyReads() {
    keepAlive.onReading(false);
    time.advance(KeepAlive.SILENCE.multipliedBy(3));
    keepAlive.onReading(true);
    time.advance(ALMOST);
    assertThat(ends).as("its time begins when somebody reads").isZero();
    time.advance(KeepAlive.INTERVAL);
    assertThat(ends).isEqualTo(1);
  }

  @Test
  void aServerThatHasMuchToTakeMayBeSilent() {
    keepAlive.onSend(KeepAlive.MOST_UNANSWERED);
    keepAlive.onSend(1);
    time.advance(KeepAlive.SILENCE.multipliedBy(3));
    assertThat(ends).isZero();
    keepAlive.onFrame();
    keepAlive.onSend(KeepAlive.MOST_UNANSWERED);
    time.advance(KeepAlive.SILENCE);
    assertThat(ends).isEqualTo(1);
  }

  @Test
  void nothingFollowsItsEnd() {
    keepAlive.close();
    assertThat(time.armed()).isZero();
    keepAlive.start();
    time.advance(KeepAlive.SILENCE);
    assertThat(pings + ends).isZero();
  }
}
