package dev.stint.cli.flag;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.output.UserException;
import org.junit.jupiter.api.Test;

class FlagRangeTest {
  @Test
  void numbersBelowOneAreRefusedByName() {
    assertThatThrownBy(() -> FlagRange.atLeastOne("--nodes", 0))
        .isInstanceOf(UserException.class)
        .hasMessage("--nodes is 0; it must be at least 1");
  }

  @Test
  void oneAndNothingAreTaken() {
    assertThatCode(() -> FlagRange.atLeastOne("--nodes", 1)).doesNotThrowAnyException();
    assertThatCode(() -> FlagRange.atLeastOne("--nodes", null)).doesNotThrowAnyException();
  }
}
