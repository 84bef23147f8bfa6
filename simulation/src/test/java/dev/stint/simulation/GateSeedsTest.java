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
  /** A world that once found a fault of a law: it ends a Job as docs/simulation.md explains. */
  private static final long REMARKABLE = 1868;

  @Test
  void theGateHasTheWorldsThatFindMutations() throws IOException {
    List<Long> finders = new ArrayList<>(MutationsTest.recordedSeeds());
    finders.add(REMARKABLE);
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
