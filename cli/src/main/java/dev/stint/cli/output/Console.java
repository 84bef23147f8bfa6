package dev.stint.cli.output;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;

/**
 * A command's view of its caller: its streams, the environment, the terminal, its signals.
 *
 * @param in standard input
 * @param out standard output, for results only
 * @param err standard error, for everything else
 * @param environment the environment variables
 * @param terminal true if {@code err} is a terminal
 * @param columns the width of the terminal, in characters
 * @param outTerminal true if {@code out} is a terminal
 * @param signals the signals that the caller sends
 */
public record Console(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean terminal,
    int columns,
    boolean outTerminal,
    Signals signals) {
  private static final int USUAL_COLUMNS = 80;

  /** Creates a console to which text is printed without the control characters of others. */
  public Console {
    out = TerminalStream.around(out);
    err = TerminalStream.around(err);
  }

  /** Creates a console whose {@code out} is not a terminal. */
  public Console(
      InputStream in,
      PrintStream out,
      PrintStream err,
      Map<String, String> environment,
      boolean terminal,
      int columns,
      Signals signals) {
    this(in, out, err, environment, terminal, columns, false, signals);
  }

  /**
   * Returns the console of this process. The launcher reports the terminal, since it can ask
   * cheaply.
   */
  public static Console ofProcess() {
    return new Console(
        new FileInputStream(FileDescriptor.in),
        System.out,
        System.err,
        CallersLocale.in(System.getenv()),
        Boolean.getBoolean("stint.terminal"),
        Integer.getInteger("stint.columns", USUAL_COLUMNS),
        Boolean.getBoolean("stint.stdout.terminal"),
        new ProcessSignals());
  }

  /** True if output to {@code err} is coloured (see https://no-color.org). */
  public boolean isErrColored() {
    return terminal && mayColor();
  }

  /** True if output to {@code out} is coloured. */
  public boolean isOutColored() {
    return outTerminal && mayColor();
  }

  private boolean mayColor() {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !"dumb".equals(environment.get("TERM"));
  }

  /** Writes one line to standard error, marked as ours. */
  public void say(String line) {
    err.println("stint: " + line);
  }
}
