package dev.stint.bench.kills;

/**
 * The kills of a round, counted.
 *
 * @param all the number of kills, whatever one of them took
 * @param ofMachine those that took the machine
 * @param ofSeveral those that took several commands at once, but not the machine
 * @param ofHolder those that took the command which held the data directory, while others were
 *     alive
 * @param inRecovery those of starts that came while the start held the data directory, and had not
 *     told yet that it is ready
 * @param earlier those that came before
 */
record KillCounts(
    int all, int ofMachine, int ofSeveral, int ofHolder, int inRecovery, int earlier) {
  static final KillCounts NONE = new KillCounts(0, 0, 0, 0, 0, 0);

  /** Returns the numbers of both. */
  KillCounts plus(KillCounts other) {
    return new KillCounts(
        all + other.all,
        ofMachine + other.ofMachine,
        ofSeveral + other.ofSeveral,
        ofHolder + other.ofHolder,
        inRecovery + other.inRecovery,
        earlier + other.earlier);
  }
}
