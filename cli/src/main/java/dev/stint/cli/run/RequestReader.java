package dev.stint.cli.run;

import dev.stint.cli.file.AfterFaults;
import dev.stint.cli.file.JobFiles;
import dev.stint.cli.file.ServiceOrClaim;
import dev.stint.cli.list.ListJob;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads what {@code run} is asked for, and reports every fault of every document before anything
 * starts.
 *
 * @param refusals returns the reasons to refuse a document without faults, as lines for users
 * @param together returns warnings about all documents together, as lines for users
 * @param elsewhere true if services and claims are those of a cluster
 */
record RequestReader(
    Console console,
    FeatureGates gates,
    Function<Document, List<String>> refusals,
    Function<List<Document>, List<String>> together,
    boolean elsewhere) {

  /** Returns the documents of all files. */
  List<Document> read(List<String> files) {
    List<String> faults = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    List<Document> documents = new ArrayList<>();
    for (String file : files) {
      for (Document document : JobFiles.readNew(file, console)) {
        List<String> wrong = faults(document);
        faults.addAll(wrong);
        documents.add(document);
        warnings.addAll(wrong.isEmpty() ? JobFiles.warnings(document, gates) : List.of());
      }
    }
    if (faults.isEmpty() && documents.stream().noneMatch(RequestedJob::isJob)) {
      faults.add(String.join(", ", files) + ": contains no Job; stint run requires one");
    }
    faults.addAll(new AfterFaults(documents).linked());
    check(faults);
    warnings.addAll(together.apply(documents));
    warnings.forEach(console.err()::println);
    return documents;
  }

  /** Returns the Job of a list, as if it were in a file. */
  RequestedJob read(ListJob made) {
    try {
      Document document = Documents.read("--each", Json.bytes(made.job())).getFirst();
      check(faults(document));
      return RequestedJob.of(document, made);
    } catch (DocumentSyntaxException ours) {
      throw new IllegalStateException(ours);
    }
  }

  private List<String> faults(Document document) {
    List<FieldError> wrong =
        elsewhere && ServiceOrClaim.isOne(document) ? List.of() : JobFiles.faults(document, gates);
    return wrong.isEmpty()
        ? refusals.apply(document)
        : wrong.stream().map(document::describe).toList();
  }

  private static void check(List<String> faults) {
    if (!faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, faults);
    }
  }
}
