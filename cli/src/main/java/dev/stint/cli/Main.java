package dev.stint.cli;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.StandardOutput;
import java.io.IOException;

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
    if (args.length > 0 && args[0].equals("run")) {
      EarlyLoading.begin();
    }
  }
}
