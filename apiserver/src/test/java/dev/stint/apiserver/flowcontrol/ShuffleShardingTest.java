package dev.stint.apiserver.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Hands hold distinct queues, and two flows rarely have all of them in common. */
class ShuffleShardingTest {
  @Test
  void aHandHoldsDistinctQueuesAndEveryQueueIsDealt() {
    SplittableRandom random = new SplittableRandom(24);
    Set<Integer> dealt = new HashSet<>();
    for (int i = 0; i < 2000; i++) {
      int[] hand = ShuffleSharding.hand(random.nextLong(), 16, 4);
      assertThat(Arrays.stream(hand).distinct()).hasSize(4);
      assertThat(hand).isSorted();
      Arrays.stream(hand).forEach(dealt::add);
    }
    assertThat(dealt).hasSize(16).allMatch(queue -> queue >= 0 && queue < 16);
  }

  @Test
  void aHandMayHoldAllQueues() {
    assertThat(ShuffleSharding.hand(-1, 3, 3)).containsExactly(0, 1, 2);
    assertThat(ShuffleSharding.hand(7, 1, 1)).containsExactly(0);
  }

  @Test
  void everyPairOfQueuesIsEquallyLikely() {
    SplittableRandom random = new SplittableRandom(7);
    int[] counts = new int[6];
    for (int i = 0; i < 60_000; i++) {
      int[] hand = ShuffleSharding.hand(random.nextLong(), 4, 2);
      counts[hand[0] == 0 ? hand[1] - 1 : hand[0] + hand[1]]++;
    }
    assertThat(Arrays.stream(counts)).allMatch(count -> count > 9_500 && count < 10_500);
  }
}
