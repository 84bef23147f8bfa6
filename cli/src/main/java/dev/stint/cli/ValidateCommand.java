package dev.stint.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code stint validate FILE...}. */
@Command(name = "validate", description = "Tell every fault of the documents in files; offline.")
final class ValidateCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "YAML or JSON; - is standard input.")
  private List<String> files = List.of();

  ValidateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    for (String file : files) {
      Sources.read(file, console);
    }
    return ExitCode.OK.status();
  }
}
