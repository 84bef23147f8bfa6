package dev.stint.apiserver.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class WebSocketHeartbeatTest {
  private final WebSocketHeartbeat heartbeat = new WebSocketHeartbeat();

  private void pingUnanswered(int times) {
    for (int i = 0; i < times; i++) {
      heartbeat.ping();
    }
  }

  @Test
  void aClientThatWasUpToDateAndAnswersNoMoreHasStopped() {
    heartbeat.onRead();
    heartbeat.onPong(heartbeat.ping());
    pingUnanswered(WebSocketHeartbeat.MOST_UNANSWERED - 1);
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
    pingUnanswered(WebSocketHeartbeat.MOST_UNANSWERED);
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
    pingUnanswered(WebSocketHeartbeat.MOST_UNANSWERED);
    assertThat(heartbeat.hasStopped()).isTrue();
  }

  @Test
  void everyAnswerAndEveryMessageIsASignOfLife() {
    heartbeat.onRead();
    heartbeat.onPong(heartbeat.ping());
    pingUnanswered(WebSocketHeartbeat.MOST_UNANSWERED - 1);
    heartbeat.onPong(ByteBuffer.allocate(0));
    pingUnanswered(WebSocketHeartbeat.MOST_UNANSWERED - 1);
    heartbeat.onMessage();
    heartbeat.onRead();
    pingUnanswered(WebSocketHeartbeat.MOST_UNANSWERED - 1);
    assertThat(heartbeat.hasStopped()).isFalse();
  }
}
