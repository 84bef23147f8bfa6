package dev.stint.bench.kills;

import java.util.ArrayList;
import java.util.List;

/**
 * The events of a round, counted.
 *
 * @param attempts the number of attempts that began
 * @param cutOff those of them that never ended
 * @param repeated the number of attempts that began after another one of their index had ended
 * @param writes the number of writes that were acknowledged
 * @param violations what must not be
 */
record RoundResult(
    KillCounts kills, int attempts, int cutOff, int repeated, int writes, List<String> violations) {

  /** Returns the result of a round of which nothing is known but what is wrong. */
  static RoundResult broken(List<String> violations) {
    return new RoundResult(KillCounts.NONE, 0, 0, 0, 0, violations);
  }

  /** Returns this with more that must not be. */
  RoundResult with(List<String> more) {
    List<String> all = new ArrayList<>(violations);
    all.addAll(more);
    return new RoundResult(kills, attempts, cutOff, repeated, writes, List.copyOf(all));
  }

  /** Returns the numbers of both. */
  RoundResult plus(RoundResult other) {
    return new RoundResult(
        kills.plus(other.kills),
        attempts + other.attempts,
        cutOff + other.cutOff,
        repeated + other.repeated,
        writes + other.writes,
        List.of());
  }
}
