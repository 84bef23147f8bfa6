package dev.stint.controllers.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ToldProblemsTest {
  private final ToldProblems told = new ToldProblems();

  @Test
  void aProblemIsToldOnceUntilTheNextStart() {
    assertThat(told.isNews("a", "FailedCreate", "no room")).isTrue();
    assertThat(told.isNews("a", "FailedCreate", "no room")).isFalse();
    assertThat(told.isNews("b", "FailedCreate", "no room")).isTrue();
    assertThat(told.isNews("a", "MissSchedule", "too late")).isTrue();
    assertThat(told.isNews("a", "FailedCreate", "no room")).isFalse();
    told.forget("a");
    assertThat(told.isNews("a", "FailedCreate", "no room")).isTrue();
  }

  @Test
  void onlyTheLastMessageOfAReasonIsKept() {
    assertThat(told.isNews("a", "FailedCreate", "no room for a-1")).isTrue();
    assertThat(told.isNews("a", "FailedCreate", "no room for a-2")).isTrue();
    assertThat(told.isNews("a", "FailedCreate", "no room for a-1")).isTrue();
  }
}
