package dev.stint.cli;

import dev.stint.cli.output.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A console whose output is kept. */
public record Recorded(
    Console console, ByteArrayOutputStream outBytes, ByteArrayOutputStream errBytes) {
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
    Console console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, charset),
            new PrintStream(err, true, charset),
            environment,
            terminal,
            60);
    return new Recorded(console, out, err);
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
