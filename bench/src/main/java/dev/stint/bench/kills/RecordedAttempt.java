package dev.stint.bench.kills;

/**
 * The lines that an attempt wrote into the file of its index.
 *
 * @param boot the boot of the machine in which it ran
 * @param tag the mark of its lines: the boot and a random name
 * @param printed the number of lines that it had printed for certain
 * @param isEnded true if it came to its end
 */
record RecordedAttempt(String boot, String tag, int printed, boolean isEnded) {

  static RecordedAttempt begun(String tag) {
    return new RecordedAttempt(tag.substring(0, tag.indexOf('.')), tag, 0, false);
  }

  RecordedAttempt withPrinted(int lines) {
    return new RecordedAttempt(boot, tag, lines, isEnded);
  }

  RecordedAttempt ended() {
    return new RecordedAttempt(boot, tag, printed, true);
  }
}
