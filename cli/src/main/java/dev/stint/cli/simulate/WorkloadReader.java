package dev.stint.cli.simulate;

import dev.stint.cli.file.JobFiles;
import dev.stint.cli.file.ServiceOrClaim;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.submit.RequestedInput;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.Names;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Reads the Jobs to simulate, and reports every fault of every document. */
final class WorkloadReader {
  private final List<RequestedJob> jobs = new ArrayList<>();
  private final List<ObjectNode> inputs = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private WorkloadReader() {}

  /**
   * Reads files.
   *
   * @throws UserException if they contain no Job, or anything that cannot be simulated
   */
  static Workload read(List<String> files, Console console) {
    WorkloadReader reader = new WorkloadReader();
    for (String file : files) {
      JobFiles.readNew(file, console).forEach(reader::add);
    }
    if (reader.jobs.isEmpty() && reader.faults.isEmpty()) {
      reader.faults.add(String.join(", ", files) + ": contains no Job");
    }
    if (!reader.faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, reader.faults);
    }
    return new Workload(reader.jobs, reader.inputs);
  }

  private void add(Document document) {
    List<FieldError> wrong = JobFiles.faults(document, FeatureGates.DEFAULT);
    wrong.forEach(fault -> faults.add(document.describe(fault)));
    Optional<RequestedInput> input = RequestedInput.of(document);
    if (document.object().kindName().equals(Kind.JOB.kind())) {
      addJob(document, wrong.isEmpty());
    } else if (input.isPresent()) {
      inputs.add(input.get().tree());
    } else if (!ServiceOrClaim.isOne(document)) {
      faults.add(
          at(document)
              + "kind: "
              + document.object().kindName()
              + " is not supported; stint simulate accepts Jobs");
    }
  }

  private void addJob(Document document, boolean valid) {
    RequestedJob job = RequestedJob.of(document);
    if (valid && !job.name().isEmpty() && !names.add(Workload.name(job))) {
      faults.add(at(document) + "metadata.name: a second Job " + Workload.name(job));
    }
    refusals(job).forEach(refusal -> faults.add(at(document) + refusal));
    jobs.add(job);
  }

  private static String at(Document document) {
    return document.sourceName() + ":" + document.line() + ": ";
  }

  /** Returns the reasons why a valid Job would never end here. */
  static List<String> refusals(RequestedJob job) {
    List<String> refusals = new ArrayList<>();
    if (Boolean.TRUE.equals(Json.bool(job.tree().get("spec"), "suspend"))) {
      refusals.add("spec.suspend: must be false; nothing would resume the Job");
    }
    Integer parallelism = Json.integer(job.tree().get("spec"), "parallelism");
    if (parallelism != null && parallelism == 0) {
      refusals.add("spec.parallelism: must be more than 0; no pod would ever run");
    }
    if (!job.managedBy().equals(Names.BUILT_IN_CONTROLLER)) {
      refusals.add("spec.managedBy: " + job.managedBy() + " is not simulated; remove the field");
    }
    return refusals;
  }
}
