package dev.stint.cli;

import dev.stint.cli.output.Console;

/** The entry point of the process. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) {
    prepare(args);
    int status = new StintCommand(Console.ofProcess()).run(args);
    System.out.flush();
    System.exit(status);
  }

  /** Begins what a command takes long for and can do beside reading its flags. */
  static void prepare(String... args) {
    if (args.length > 0 && args[0].equals("run")) {
      EarlyLoading.begin();
    }
  }
}
