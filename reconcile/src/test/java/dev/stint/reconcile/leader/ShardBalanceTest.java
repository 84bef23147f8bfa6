package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShardBalanceTest {
  private static List<@Nullable String> holders(String letters) {
    return letters
        .chars()
        .<@Nullable String>mapToObj(letter -> letter == '-' ? null : Character.toString(letter))
        .toList();
  }

  /** Returns the owners, a letter for each shard; so holders are given. */
  private static String owners(String holders, String... members) {
    return String.join("", ShardBalance.owners(holders(holders), Set.of(members)));
  }

  @Test
  void oneReplicaOwnsAll() {
    assertThat(owners("----", "a")).isEqualTo("aaaa");
    assertThat(owners("aaaa", "a")).isEqualTo("aaaa");
  }

  @Test
  void freeShardsGoToThoseWithRoom() {
    assertThat(owners("----", "a", "b", "c")).isEqualTo("aabc");
    assertThat(owners("aa--", "a", "b")).isEqualTo("aabb");
    assertThat(owners("b---", "a", "b", "c")).isEqualTo("babc");
  }

  @Test
  void shardsOfReplicasThatAreGoneAreFree() {
    assertThat(owners("aabbcc", "a", "b")).isEqualTo("aabbab");
  }

  @Test
  void aNewReplicaGetsItsShareAndNoMoreMoves() {
    assertThat(owners("aaaa", "a", "b")).isEqualTo("aabb");
    assertThat(owners("aabbb", "a", "b", "c")).isEqualTo("aabbc");
    assertThat(owners("ab", "a", "b", "c")).isEqualTo("ab");
  }

  @Test
  void anEvenShareStays() {
    for (String shared : List.of("ab", "ba", "aab", "abb", "abcab", "ccbba")) {
      assertThat(owners(shared, shared.contains("c") ? new String[] {"a", "b", "c"} : AB))
          .isEqualTo(shared);
    }
  }

  private static final String[] AB = {"a", "b"};

  /**
   * From anywhere, giving up and claiming one shard at a time leads to an even share, and stays.
   */
  @Test
  void anySituationEndsEvenly() {
    Random random = new Random(1);
    List<String> names = List.of("a", "b", "c", "d", "e");
    for (int world = 0; world < 500; world++) {
      TreeSet<String> members = new TreeSet<>(names.subList(0, random.nextInt(1, 6)));
      List<@Nullable String> holders = new ArrayList<>();
      for (int shard = random.nextInt(1, 12); shard > 0; shard--) {
        holders.add(random.nextInt(3) == 0 ? null : names.get(random.nextInt(5)));
      }
      int moves = 0;
      while (move(holders, members, random)) {
        assertThat(++moves).isLessThanOrEqualTo(2 * holders.size());
      }
      List<Integer> shares =
          members.stream().map(member -> Collections.frequency(holders, member)).toList();
      assertThat(Collections.max(shares) - Collections.min(shares)).isLessThanOrEqualTo(1);
    }
  }

  /** Lets one replica do one thing; false if nobody wants to. */
  private static boolean move(List<@Nullable String> holders, Set<String> members, Random random) {
    List<String> owners = ShardBalance.owners(holders, members);
    List<Integer> wrong =
        Stream.iterate(0, shard -> shard < holders.size(), shard -> shard + 1)
            .filter(shard -> !owners.get(shard).equals(holders.get(shard)))
            .toList();
    if (wrong.isEmpty()) {
      return false;
    }
    int shard = wrong.get(random.nextInt(wrong.size()));
    holders.set(shard, holders.get(shard) == null ? owners.get(shard) : null);
    return true;
  }

  @Test
  void theOrderOfReplicasDoesNotMatter() {
    List<@Nullable String> holders = holders("cab--ab");
    assertThat(ShardBalance.owners(holders, Arrays.asList("c", "a", "b")))
        .isEqualTo(ShardBalance.owners(holders, Arrays.asList("b", "c", "a")));
  }
}
