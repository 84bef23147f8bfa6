package dev.stint.cli.exec;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.Signals;
import dev.stint.cli.output.UserException;
import dev.stint.kube.ExecTerminal;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of this process, for a command that has a terminal itself: each key is passed on as
 * it is pressed, also Ctrl-C. The program {@code stty} sets it, and restores it at the end.
 */
final class RawTerminal implements ExecTerminal, AutoCloseable {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})");

  private final Signals signals;
  private final String settings;
  private boolean isRaw;
  private boolean closed;

  private RawTerminal(Signals signals, String settings) {
    this.signals = signals;
    this.settings = settings;
  }

  /**
   * Returns the terminal, unchanged so far.
   *
   * @throws UserException if there is none
   */
  static RawTerminal of(Console console) {
    if (!console.outTerminal()) {
      throw new UserException("-t needs a terminal; the standard output is not one");
    }
    String settings = stty("-g");
    if (settings == null) {
      throw new UserException("-t needs a terminal; the standard input is not one");
    }
    RawTerminal terminal = new RawTerminal(console.signals(), settings);
    Runtime.getRuntime().addShutdownHook(new Thread(terminal::close, "stint-terminal"));
    return terminal;
  }

  @Override
  public void onOpen(Resizing resizing) {
    setRaw();
    Runnable telling = new MergedRuns(() -> tell(resizing));
    signals.on("WINCH", telling);
    telling.run();
  }

  private synchronized void setRaw() {
    if (!closed) {
      isRaw = true;
      stty("raw", "-echo");
    }
  }

  private static void tell(Resizing resizing) {
    String size = stty("size");
    Matcher parts = SIZE.matcher(size == null ? "" : size);
    if (parts.matches()) {
      resizing.resize(Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(1)));
    }
  }

  /** Restores it, also if a signal ends this process. */
  @Override
  public synchronized void close() {
    closed = true;
    if (isRaw) {
      isRaw = false;
      stty(settings);
    }
  }

  /**
   * Runs {@code stty} on the standard input.
   *
   * @return what it prints; null if it fails
   */
  private static @Nullable String stty(String... words) {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(words));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(Redirect.INHERIT)
              .redirectError(Redirect.DISCARD)
              .start();
      byte[] printed = process.getInputStream().readAllBytes();
      return process.waitFor() == 0 ? new String(printed, StandardCharsets.US_ASCII).strip() : null;
    } catch (IOException missing) {
      throw new UserException("-t needs the program stty: " + missing.getMessage());
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
