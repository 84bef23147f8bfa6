package dev.stint.bench.kills;

/**
 * What an attempt wrote into the file of its index.
 *
 * @param boot the boot of the machine in which it ran
 * @param tag the mark of its lines: the boot and its PID
 * @param printed the number of lines that it had printed for certain
 * @param isEnded true if it came to its end
 */
record Attempt(String boot, String tag, int printed, boolean isEnded) {

  static Attempt begun(String tag) {
    return new Attempt(tag.substring(0, tag.indexOf('.')), tag, 0, false);
  }

  Attempt withPrinted(int lines) {
    return new Attempt(boot, tag, lines, isEnded);
  }

  Attempt ended() {
    return new Attempt(boot, tag, printed, true);
  }
}
