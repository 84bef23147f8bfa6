package dev.stint.cli;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.StandardOutput;
import java.io.IOException;
import java.util.Arrays;

/** The entry point of the process. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) {
    prepare(args);
    StandardOutput out = StandardOutput.ofProcess();
    System.setOut(out.stream(System.out.charset()));
    Console console = Console.ofProcess();
    int status = new StintCommand(console).run(args);
    System.out.flush();
    IOException lost = out.loss();
    System.exit(
        lost == null ? status : new ExitStatusMapper(console).reportLostOutput(status, lost));
  }

  /** Begins what a command takes long for and can do beside reading its flags. */
  static void prepare(String... args) {
    if (verb(args).equals("run")) {
      EarlyLoading.begin();
    }
  }

  /**
   * Returns the command among the words of the caller; empty if there is none. Flags before it,
   * such as {@code -v}, have no values. The launchers read it likewise.
   */
  static String verb(String... args) {
    return Arrays.stream(args).filter(arg -> !arg.startsWith("-")).findFirst().orElse("");
  }
}
