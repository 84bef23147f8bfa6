package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EndCauseTest {
  @ParameterizedTest
  @EnumSource(names = {"VANISHED", "FINISHED_BY_OTHERS", "INTERRUPTED"})
  void externalCausesWithoutAStatusAreSilent(EndCause cause) {
    assertThat(cause.isSilent()).isTrue();
    assertThat(cause.isExternal()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"DEADLINE", "EVICTED", "UNPREPARED"})
  void aPodThatTheNodeEndsIsReportedAsFailed(EndCause cause) {
    assertThat(cause.isSilent()).isFalse();
    assertThat(cause.isExternal()).isFalse();
  }
}
