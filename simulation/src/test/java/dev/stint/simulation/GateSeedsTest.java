package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The list of the worlds that every build plays. {@code -Drecord} plays thousands of worlds, which
 * takes some minutes, and chooses anew.
 */
class GateSeedsTest {
  /** Worlds that broke a law once, by a fault of ours or of the law. */
  private static final List<Long> REMARKABLE =
      List.of(
          1868L, 1004562L, 1006546L, 1038316L, 1063198L, 1068652L, 1081392L, 1103871L, 1105216L,
          1120376L, 1173501L, 1205608L, 1217319L, 1253176L, 1360926L, 1493778L, 1675721L, 1761937L,
          1806511L, 1924732L, 1937792L);

  @Test
  void theGateHasTheWorldsThatFindMutations() throws IOException {
    List<Long> finders = new ArrayList<>(MutationsTest.recordedSeeds());
    finders.addAll(REMARKABLE);
    if (System.getProperty("record") != null) {
      List<Long> seeds = new ArrayList<>(GateSeeds.choose());
      seeds.addAll(finders);
      GateSeeds.write(seeds);
    }
    assertThat(List.copyOf(GateSeeds.read().keySet())).containsAll(finders).isSorted();
  }

  @Test
  void aWorldThatTakesOtherStepsHasChanged() {
    Map<Long, Integer> chosen = Map.of(1L, 500, 7L, 45, 9L, 300);
    assertThat(GateSeeds.changed(chosen, chosen)).isZero();
    assertThat(GateSeeds.changed(chosen, Map.of(1L, 500, 7L, 46, 8L, 300))).isEqualTo(2);
  }
}
