package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InterruptSignalsTest {
  private final TestTime time = new TestTime();

  private InterruptSignals stopping(boolean terminal) {
    InterruptSignals signals = new InterruptSignals(time, terminal);
    assertThat(signals.isRepeated("INT")).as("the first one").isFalse();
    signals.onStop();
    return signals;
  }

  @Test
  void twoSignalsAtOnceAreOneStop() {
    assertThat(stopping(false).isRepeated("TERM")).isFalse();
    assertThat(stopping(true).isRepeated("INT")).isFalse();
    InterruptSignals signals = stopping(true);
    time.advance(Duration.ofMillis(999));
    assertThat(signals.isRepeated("TERM")).isFalse();
  }

  @Test
  void aSecondCtrlCOnATerminalKills() {
    InterruptSignals signals = stopping(true);
    time.advance(Duration.ofMillis(200));
    signals.onStop();
    assertThat(signals.isRepeated("INT")).isTrue();
  }

  @Test
  void aSignalAfterASecondKills() {
    InterruptSignals signals = stopping(false);
    time.advance(Duration.ofMillis(999));
    assertThat(signals.isRepeated("INT")).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(signals.isRepeated("INT")).isTrue();
    assertThat(signals.isRepeated("TERM")).isTrue();
    assertThat(signals.isRepeated("HUP")).isFalse();
  }
}
