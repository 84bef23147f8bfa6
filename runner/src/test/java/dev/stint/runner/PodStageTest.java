package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStageTest {
  @ParameterizedTest
  @CsvSource({
    "WAITING, false, false, true",
    "PREPARING, true, true, true",
    "TAKING_OVER, true, true, true",
    "RUNNING, true, false, true",
    "ENDING, true, false, false",
    "ENDED, false, false, false",
    "UNSAVED, false, false, false",
    "SETTLED, false, false, false"
  })
  void eachStageSaysWhatMayHappen(
      PodStage stage, boolean active, boolean preparing, boolean mayStart) {
    assertThat(stage.isActive()).isEqualTo(active);
    assertThat(stage.isPreparing()).isEqualTo(preparing);
    assertThat(stage.mayStart()).isEqualTo(mayStart);
  }
}
