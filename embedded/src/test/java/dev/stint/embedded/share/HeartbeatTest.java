package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private final TestTime time = new TestTime();
  private final List<String> calls = new ArrayList<>();
  private boolean waiting = true;
  private final Heartbeat heartbeat =
      new Heartbeat(
          time,
          Heartbeat.INTERVAL,
          () -> waiting,
          () -> calls.add("ask"),
          () -> calls.add("silent"));

  private void pass(int intervals) {
    for (int i = 0; i < intervals; i++) {
      time.advance(Heartbeat.INTERVAL);
    }
  }

  @Test
  void aSilentPeerIsAskedOnceAndGivenUpOnce() {
    heartbeat.start();
    pass(1);
    assertThat(calls).containsExactly("ask");
    pass(20);
    assertThat(calls).containsExactly("ask", "silent");
  }

  @Test
  void aPeerThatAnswersIsKept() {
    heartbeat.start();
    for (int i = 0; i < 20; i++) {
      pass(Heartbeat.MOST_MISSED);
      heartbeat.onMessage();
    }
    assertThat(calls).doesNotContain("silent");
  }

  @Test
  void nothingIsAskedWhenNothingWaits() {
    waiting = false;
    heartbeat.start();
    pass(20);
    assertThat(calls).isEmpty();
  }

  @Test
  void aClosedConnectionIsNotWatched() {
    heartbeat.start();
    heartbeat.close();
    pass(20);
    assertThat(calls).isEmpty();
  }
}
