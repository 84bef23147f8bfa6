package dev.stint.reconcile.leader;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which replica each shard belongs to. Replicas that see the same decide the same, so they
 * need not talk to each other. No two replicas' shares differ by more than one, and no more shards
 * move than that takes.
 */
final class ShardBalance {
  private ShardBalance() {}

  /**
   * Returns the owner that each shard should have.
   *
   * @param holders the present holder of each shard; null for none
   * @param members the live replicas; at least one
   */
  static List<String> owners(List<@Nullable String> holders, Collection<String> members) {
    Map<String, Integer> room = shares(holders, members);
    List<@Nullable String> kept = new ArrayList<>();
    for (String holder : holders) {
      kept.add(holder != null && take(room, holder) ? holder : null);
    }
    Deque<String> next = new ArrayDeque<>();
    ranked(room.keySet(), Map.of())
        .forEach(member -> {
          for (int i = 0; i < room.getOrDefault(member, 0); i++) {
            next.add(member);
          }
        });
    return kept.stream().map(owner -> owner == null ? next.remove() : owner).toList();
  }

  /** Returns each member's share. Those that hold more get one more, if the shares differ. */
  private static Map<String, Integer> shares(
      List<@Nullable String> holders, Collection<String> members) {
    Map<String, Integer> held = new HashMap<>();
    for (String holder : holders) {
      if (holder != null) {
        held.merge(holder, 1, Integer::sum);
      }
    }
    int least = holders.size() / members.size();
    int rest = holders.size() % members.size();
    Map<String, Integer> shares = new HashMap<>();
    for (String member : ranked(members, held)) {
      shares.put(member, shares.size() < rest ? least + 1 : least);
    }
    return shares;
  }

  private static List<String> ranked(Collection<String> members, Map<String, Integer> held) {
    return members.stream()
        .sorted(
            Comparator.comparingInt((String member) -> -held.getOrDefault(member, 0))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private static boolean take(Map<String, Integer> room, String member) {
    int left = room.getOrDefault(member, 0);
    if (left > 0) {
      room.put(member, left - 1);
    }
    return left > 0;
  }
}
