package dev.stint.cli;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.RaisedSignals;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A console whose output is kept, and whose signals are the test's. */
public record Recorded(
    Console console,
    ByteArrayOutputStream outBytes,
    ByteArrayOutputStream errBytes,
    RaisedSignals signals) {
  public static Recorded plain() {
    return of("", Map.of(), false, StandardCharsets.UTF_8);
  }

  public static Recorded withInput(String input) {
    return of(input, Map.of(), false, StandardCharsets.UTF_8);
  }

  public static Recorded of(
      String input, Map<String, String> environment, boolean terminal, Charset charset) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    RaisedSignals signals = new RaisedSignals();
    Console console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, charset),
            new PrintStream(err, true, charset),
            environment,
            terminal,
            60,
            signals);
    return new Recorded(console, out, err, signals);
  }

  /** Sends a signal to the command that runs. */
  public void raise(String signal) {
    signals.raise(signal);
  }

  public int run(String... args) {
    return new StintCommand(console).run(args);
  }

  public List<String> out() {
    return outBytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  public List<String> err() {
    return errBytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  public String errText() {
    return errBytes.toString(StandardCharsets.UTF_8);
  }
}
