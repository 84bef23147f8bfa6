package dev.stint.cli.validate;

import dev.stint.cli.file.AfterFaults;
import dev.stint.cli.file.JobFiles;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code stint validate FILE...}: writes every fault to standard error, as {@code FILE:LINE: field:
 * fault}; every document without one to standard output, with what was not checked; and warnings,
 * as {@code FILE:LINE: warning: field: text}, to standard error.
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
  List<String> files = List.of();

  @Option(
      names = "--for",
      paramLabel = "process|container|cluster",
      description =
          "Report also what this machine refuses to run as processes or in containers, as stint "
              + "run does without other flags, or what a cluster refuses although stint run does "
              + "not.")
  @Nullable ValidationTarget target;

  public ValidateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Refusals refusals = target == null ? _ -> List.of() : target.refusals();
    boolean ok = true;
    List<Document> documents = new ArrayList<>();
    for (String file : files) {
      try {
        List<Document> read = JobFiles.read(file, console);
        documents.addAll(read);
        for (Document document : read) {
          ok &= validate(document, refusals);
        }
      } catch (UserException fault) {
        fault.lines().forEach(console.err()::println);
        ok = false;
      }
    }
    ok &= areLinked(documents);
    if (target != null) {
      target.warnings().apply(documents).forEach(console.err()::println);
    }
    return (ok ? ExitCode.OK : ExitCode.USAGE).status();
  }

  /** Checks Jobs that start after each other, in whichever file they are. */
  private boolean areLinked(List<Document> documents) {
    AfterFaults faults = new AfterFaults(documents);
    List<String> lines =
        Stream.concat(faults.linked().stream(), faults.missing().stream()).toList();
    lines.forEach(console.err()::println);
    faults.warnings().forEach(console.err()::println);
    return lines.isEmpty();
  }

  private boolean validate(Document document, Refusals refusals) {
    List<String> faults =
        JobFiles.faults(document, FeatureGates.DEFAULT).stream().map(document::describe).toList();
    if (faults.isEmpty()) {
      faults = refusals.of(document);
    }
    faults.forEach(console.err()::println);
    if (faults.isEmpty()) {
      JobFiles.warnings(document, FeatureGates.DEFAULT).forEach(console.err()::println);
      KubeObject object = document.object();
      console
          .out()
          .printf(
              "%s:%d: %s %s: %s%n",
              document.sourceName(),
              document.line(),
              object.kindName(),
              nameOf(object),
              switch (JobFiles.extent(document)) {
                case RULES -> "ok";
                case FIELDS -> "fields ok, rules not checked";
                case NAME -> "not checked";
              });
    }
    return faults.isEmpty();
  }

  private static String nameOf(KubeObject object) {
    String prefix = Json.text(object.metadata(), "generateName");
    return object.name().isEmpty() && prefix != null ? prefix + "…" : object.name();
  }
}
