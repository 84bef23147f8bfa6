package dev.stint.cli.file;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code stint validate FILE...}: writes every fault to standard error, as {@code FILE:LINE: field:
 * fault}; every document without one to standard output; and a cluster's warnings, as {@code
 * FILE:LINE: warning: field: text}, to standard error.
 */
@Command(
    name = "validate",
    description =
        "Check files offline, and report all faults and the warnings that a cluster "
            + "would give.")
public final class ValidateCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "YAML or JSON file, or - for standard input.")
  private List<String> files = List.of();

  public ValidateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    boolean ok = true;
    for (String file : files) {
      ok &= validate(file);
    }
    return (ok ? ExitCode.OK : ExitCode.USAGE).status();
  }

  private boolean validate(String file) {
    try {
      boolean ok = true;
      for (Document document : JobFiles.read(file, console)) {
        ok &= validate(document);
      }
      return ok;
    } catch (UserException fault) {
      fault.lines().forEach(console.err()::println);
      return false;
    }
  }

  private boolean validate(Document document) {
    List<FieldError> faults = JobFiles.faults(document, FeatureGates.DEFAULT);
    faults.forEach(fault -> console.err().println(document.describe(fault)));
    if (faults.isEmpty()) {
      JobFiles.warnings(document, FeatureGates.DEFAULT).forEach(console.err()::println);
      KubeObject object = document.object();
      console
          .out()
          .printf(
              "%s:%d: %s %s: ok%n",
              document.sourceName(), document.line(), object.kindName(), nameOf(object));
    }
    return faults.isEmpty();
  }

  private static String nameOf(KubeObject object) {
    String prefix = Json.text(object.metadata(), "generateName");
    return object.name().isEmpty() && prefix != null ? prefix + "…" : object.name();
  }
}
