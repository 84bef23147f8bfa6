package dev.stint.apiserver.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private final Heartbeat heartbeat = new Heartbeat();

  private void pingUnanswered(int times) {
    for (int i = 0; i < times; i++) {
      heartbeat.ping();
    }
  }

  @Test
  void aClientThatWasUpToDateAndAnswersNoMoreHasStopped() {
    heartbeat.onRead();
    heartbeat.onPong(heartbeat.ping());
    pingUnanswered(Heartbeat.MOST_UNANSWERED - 1);
    assertThat(heartbeat.hasStopped()).isFalse();
    heartbeat.ping();
    assertThat(heartbeat.hasStopped()).isTrue();
  }

  @Test
  void aClientThatNeverAnswersMayNotKnowPings() {
    heartbeat.onRead();
    pingUnanswered(100);
    assertThat(heartbeat.hasStopped()).isFalse();
  }

  @Test
  void aClientThatStillHasToReadIsBusy() {
    heartbeat.onRead();
    heartbeat.onPong(heartbeat.ping());
    ByteBuffer early = heartbeat.ping();
    heartbeat.onSend();
    heartbeat.onPong(early);
    pingUnanswered(100);
    assertThat(heartbeat.hasStopped()).isFalse();
    heartbeat.onPong(heartbeat.ping());
    pingUnanswered(Heartbeat.MOST_UNANSWERED);
    assertThat(heartbeat.hasStopped()).isTrue();
  }

  @Test
  void answersAreNotSeenWhileNothingIsRead() {
    heartbeat.onRead();
    heartbeat.onPong(heartbeat.ping());
    heartbeat.onMessage();
    pingUnanswered(100);
    assertThat(heartbeat.hasStopped()).isFalse();
    heartbeat.onRead();
    assertThat(heartbeat.hasStopped()).isFalse();
    pingUnanswered(Heartbeat.MOST_UNANSWERED);
    assertThat(heartbeat.hasStopped()).isTrue();
  }

  @Test
  void everyAnswerAndEveryMessageIsASignOfLife() {
    heartbeat.onRead();
    heartbeat.onPong(heartbeat.ping());
    pingUnanswered(Heartbeat.MOST_UNANSWERED - 1);
    heartbeat.onPong(ByteBuffer.allocate(0));
    pingUnanswered(Heartbeat.MOST_UNANSWERED - 1);
    heartbeat.onMessage();
    heartbeat.onRead();
    pingUnanswered(Heartbeat.MOST_UNANSWERED - 1);
    assertThat(heartbeat.hasStopped()).isFalse();
  }
}
