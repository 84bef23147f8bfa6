package dev.stint.cli.report;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.TerminalText;
import java.io.PrintStream;

/** The style of a progress bar. */
public enum ProgressBar {
  /** Blocks, for a terminal that shows all of Unicode. */
  BLOCKS("█", "░", false),
  /** Blocks in colour. */
  COLORED_BLOCKS("█", "░", true),
  /** ASCII characters, for any other terminal. */
  ASCII("#", ".", false);

  private static final String GREEN = TerminalText.sequence("\u001b[32m");
  private static final String PLAIN = TerminalText.sequence("\u001b[0m");

  private final String done;
  private final String open;
  private final boolean color;

  ProgressBar(String done, String open, boolean color) {
    this.done = done;
    this.open = open;
    this.color = color;
  }

  /** Returns the style that suits a console's standard error. */
  static ProgressBar of(Console console) {
    return of(console.err(), console.isErrColored());
  }

  /** Returns the style that suits a console's standard output. */
  public static ProgressBar ofOut(Console console) {
    return of(console.out(), console.isOutColored());
  }

  private static ProgressBar of(PrintStream stream, boolean color) {
    if (!stream.charset().newEncoder().canEncode(BLOCKS.done)) {
      return ASCII;
    }
    return color ? COLORED_BLOCKS : BLOCKS;
  }

  /**
   * Draws the bar.
   *
   * @param share the part that is done, from 0 to 1
   * @param length in characters
   */
  String draw(double share, int length) {
    int full = (int) Math.floor(share * length);
    String doneText = done.repeat(full);
    return (color ? GREEN + doneText + PLAIN : doneText) + open.repeat(length - full);
  }
}
