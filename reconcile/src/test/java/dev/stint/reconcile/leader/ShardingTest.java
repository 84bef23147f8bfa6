package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardingTest {
  @Test
  void uidsAreSpreadEvenlyForAnyCount() {
    for (int count : new int[] {2, 3, 31, 32}) {
      Sharding sharding = new Sharding(count);
      Map<Integer, Long> sizes =
          IntStream.range(0, 1000 * count)
              .mapToObj(i -> sharding.shardOf(new UUID(17L * i, i).toString()))
              .collect(
                  Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
      assertThat(sizes).hasSize(count);
      assertThat(sizes.values()).allMatch(size -> size > 800 && size < 1200);
    }
  }

  @Test
  void theShardOfAUidNeverChanges() {
    Sharding sharding = new Sharding(16);
    assertThat(sharding.shardOf("6f1f9c1e-52f4-4d0b-9c4e-0c0d6f2f7a11")).isEqualTo(0);
    assertThat(sharding.shardOf("")).isZero();
    assertThat(Sharding.NONE.shardOf("6f1f9c1e-52f4-4d0b-9c4e-0c0d6f2f7a11")).isZero();
  }

  @Test
  void thereIsAtLeastOneShardAndNotTooMany() {
    for (int count : new int[] {0, -1, Sharding.MOST + 1}) {
      assertThatThrownBy(() -> new Sharding(count))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the number of shards must be 1 to 64");
    }
  }
}
