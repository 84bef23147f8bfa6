package dev.stint.bench.kills;

import java.util.List;

/**
 * The events of a round, counted.
 *
 * @param kills the number of kills, those of the machine included
 * @param losses the number of kills of the machine
 * @param attempts the number of attempts that began
 * @param cutOff those of them that never ended
 * @param repeated the number of attempts that began after another one of their index had ended
 * @param writes the number of writes that were acknowledged
 * @param violations what must not be
 */
record RoundResult(
    int kills,
    int losses,
    int attempts,
    int cutOff,
    int repeated,
    int writes,
    List<String> violations) {

  /** Returns the numbers of both. */
  RoundResult plus(RoundResult other) {
    return new RoundResult(
        kills + other.kills,
        losses + other.losses,
        attempts + other.attempts,
        cutOff + other.cutOff,
        repeated + other.repeated,
        writes + other.writes,
        List.of());
  }
}
