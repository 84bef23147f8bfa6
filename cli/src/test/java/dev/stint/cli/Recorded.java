package dev.stint.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A console whose output is kept. */
record Recorded(Console console, ByteArrayOutputStream outBytes, ByteArrayOutputStream errBytes) {
  static Recorded plain() {
    return of("", Map.of(), false, StandardCharsets.UTF_8);
  }

  static Recorded withInput(String input) {
    return of(input, Map.of(), false, StandardCharsets.UTF_8);
  }

  static Recorded of(
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

  int run(String... args) {
    return new Stint(console).run(args);
  }

  List<String> out() {
    return outBytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  List<String> err() {
    return errBytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
