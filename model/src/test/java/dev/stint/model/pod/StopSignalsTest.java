package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StopSignalsTest {
  @Test
  void namesHaveTheNumbersOfLinux() {
    assertThat(StopSignals.number("SIGHUP")).hasValue(1);
    assertThat(StopSignals.number("SIGUSR1")).hasValue(10);
    assertThat(StopSignals.number("SIGTERM")).hasValue(15);
    assertThat(StopSignals.number("SIGWINCH")).hasValue(28);
    assertThat(StopSignals.number("SIGSYS")).hasValue(31);
    assertThat(StopSignals.number("SIGIOT")).hasValue(6);
    assertThat(StopSignals.number("SIGRTMIN+15")).hasValue(49);
    assertThat(StopSignals.number("SIGRTMAX-14")).hasValue(50);
    assertThat(StopSignals.number("TERM")).isEmpty();
    assertThat(StopSignals.names()).hasSize(65).contains("SIGRTMAX", "SIGPOLL");
  }
}
