package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
  private static final Duration ALMOST = KeepAlive.SILENCE.minusMillis(1);

  private static final int MUCH = 200 << 10;

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
    keepAlive.onSend(MUCH);
    keepAlive.onFrame(); // Output of the command.
    time.advance(KeepAlive.SILENCE.multipliedBy(3));
    assertThat(ends).isZero();
  }

  @Test
  void aServerThatHasReadAllMustAnswer() {
    keepAlive.onSend(MUCH);
    keepAlive.onPong(keepAlive.ping());
    time.advance(KeepAlive.SILENCE);
    assertThat(ends).isEqualTo(1);
  }

  @Test
  void aServerMayBeSilentBehindOneByteAfterAllThatItHasRead() {
    keepAlive.onSend(MUCH);
    byte[] before = keepAlive.ping();
    keepAlive.onSend(1);
    keepAlive.onPong(before);
    time.advance(KeepAlive.SILENCE.multipliedBy(3));
    assertThat(ends).as("the pipe of the command may be full").isZero();
  }

  @Test
  void aServerMustAnswerBehindTheLittleThatItAlwaysTakes() {
    keepAlive.onSend(KeepAlive.ALWAYS_TAKEN);
    time.advance(KeepAlive.SILENCE);
    assertThat(ends).isEqualTo(1);
  }

  @Test
  void aPongWithoutThePayloadOfAPingAcknowledgesNothing() {
    keepAlive.onSend(MUCH);
    keepAlive.onPong(new byte[0]);
    keepAlive.onPong(ByteBuffer.allocate(Long.BYTES).putLong(MUCH + 1).array());
    time.advance(KeepAlive.SILENCE.multipliedBy(3));
    assertThat(ends).isZero();
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
