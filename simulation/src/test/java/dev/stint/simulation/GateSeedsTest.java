package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
    assertThat(GateSeeds.read()).containsAll(finders).isSorted().doesNotHaveDuplicates();
  }
}
