package dev.stint.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KillsOptionsTest {
  private static KillsOptions of(String... arguments) {
    List<String> all = new ArrayList<>(List.of("./stint", "target"));
    all.addAll(List.of(arguments));
    return KillsOptions.of(all);
  }

  @Test
  void roundsOfRunAndUpTakeTurns() {
    assertThat(of().kind(2)).isEqualTo(RoundKind.RUN);
    assertThat(of().kind(3)).isEqualTo(RoundKind.UP);
  }

  @Test
  void runsShareTheDirectoryInEachRound() {
    assertThat(of("--runs", "3").kind(2)).isEqualTo(RoundKind.SHARED);
    assertThat(of("--runs", "3", "--runs", "5").runs()).isEqualTo(5);
  }

  @Test
  void runsThatShareADirectoryAreOfOneBuild() {
    for (String option : List.of("--old", "--start-kills")) {
      assertThatThrownBy(() -> of("--runs", "3", option, "1"))
          .hasMessageContaining("for rounds of one command");
    }
  }
}
