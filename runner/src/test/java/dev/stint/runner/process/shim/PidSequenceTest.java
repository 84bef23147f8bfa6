package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PidSequenceTest {
  private static final PidSequence SMALL = new PidSequence(32_767);

  @Test
  void theLowestFollowsTheLargest() {
    assertThat(SMALL.next(32_766)).isEqualTo(32_767);
    assertThat(SMALL.next(32_767)).isEqualTo(1);
  }

  @Test
  void distancesReachOverTheLargest() {
    assertThat(SMALL.distance(400, 400)).isZero();
    assertThat(SMALL.distance(400, 403)).isEqualTo(3);
    assertThat(SMALL.distance(32_766, 305)).isEqualTo(306);
  }

  @Test
  void withoutAKnownLargestNothingIsKnownOfANewRound() {
    PidSequence unknown = new PidSequence(0);
    assertThat(unknown.distance(400, 403)).isEqualTo(3);
    assertThat(unknown.distance(32_766, 305)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void theMachineHasALargest() {
    assertThat(PidSequence.ofMachine().largest()).isGreaterThan(300);
  }
}
