package dev.stint.cli.cluster;

import dev.stint.cli.output.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Asks the user once what becomes of the Jobs. Another Ctrl-C leaves them running. */
final class StopQuestion {
  private final Console console;
  private final CompletableFuture<StopChoice> choice = new CompletableFuture<>();
  private volatile boolean asked;

  StopQuestion(Console console) {
    this.console = console;
  }

  /**
   * Returns what the user wants; without a terminal, nobody is asked.
   *
   * @param jobs the Jobs, for people
   */
  StopChoice ask(String jobs) {
    if (!console.terminal()) {
      return StopChoice.LEAVE;
    }
    console.err().print("stint: " + jobs + ": (l)eave running, (s)uspend or (c)ancel? [l] ");
    console.err().flush();
    asked = true;
    Thread.ofPlatform().daemon().name("stint-answer").start(() -> choice.complete(answer()));
    return choice.join();
  }

  /** Ends the question: the Jobs go on. */
  void giveUp() {
    if (asked && choice.complete(StopChoice.LEAVE)) {
      console.err().println();
    }
  }

  private StopChoice answer() {
    StringBuilder line = new StringBuilder();
    InputStream in = console.in();
    try {
      for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
        line.append(new String(new byte[] {(byte) next}, StandardCharsets.ISO_8859_1));
      }
    } catch (IOException gone) {
      return StopChoice.LEAVE;
    }
    return StopChoice.of(line.toString());
  }
}
