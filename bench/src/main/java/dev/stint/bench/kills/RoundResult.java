package dev.stint.bench.kills;

import java.util.ArrayList;
import java.util.List;

/**
 * The events of a round, counted.
 *
 * @param kills the number of kills, those of the machine included
 * @param losses the number of kills of the machine
 * @param inRecovery those kills of starts that came while the start held the data directory, and
 *     had not told yet that it is ready
 * @param earlier those that came before
 * @param attempts the number of attempts that began
 * @param cutOff those of them that never ended
 * @param repeated the number of attempts that began after another one of their index had ended
 * @param writes the number of writes that were acknowledged
 * @param violations what must not be
 */
record RoundResult(
    int kills,
    int losses,
    int inRecovery,
    int earlier,
    int attempts,
    int cutOff,
    int repeated,
    int writes,
    List<String> violations) {

  /** Returns the result of a round of which nothing is known but what is wrong. */
  static RoundResult broken(List<String> violations) {
    return new RoundResult(0, 0, 0, 0, 0, 0, 0, 0, violations);
  }

  /** Returns this with more that must not be. */
  RoundResult with(List<String> more) {
    List<String> all = new ArrayList<>(violations);
    all.addAll(more);
    return new RoundResult(
        kills, losses, inRecovery, earlier, attempts, cutOff, repeated, writes, List.copyOf(all));
  }

  /** Returns the numbers of both. */
  RoundResult plus(RoundResult other) {
    return new RoundResult(
        kills + other.kills,
        losses + other.losses,
        inRecovery + other.inRecovery,
        earlier + other.earlier,
        attempts + other.attempts,
        cutOff + other.cutOff,
        repeated + other.repeated,
        writes + other.writes,
        List.of());
  }
}
