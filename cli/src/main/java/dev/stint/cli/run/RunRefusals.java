package dev.stint.cli.run;

import dev.stint.cli.file.ServiceOrClaim;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.submit.RequestedInput;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import dev.stint.runner.container.ContainerRuntime;
import dev.stint.runner.process.ProcessRuntime;
import dev.stint.runner.token.TokenRefusals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The reasons why {@code run} refuses valid documents on this machine, besides those of {@link
 * ResourceRefusals}. Documents of one command are compared with each other.
 */
public final class RunRefusals {
  private final RuntimeKind runtime;
  private final PodOptions pods;

  /** The places of the Jobs, by their namespaces and names. */
  private final Map<String, String> sources = new HashMap<>();

  /** Starts without documents. */
  public RunRefusals(RuntimeKind runtime, PodOptions pods) {
    this.runtime = runtime;
    this.pods = pods;
  }

  /** Returns the reasons to refuse a document, as lines for users. */
  public List<String> of(Document document) {
    String kind = document.object().kindName();
    if (kind.equals(Kind.JOB.kind())) {
      return refusals(RequestedJob.of(document));
    }
    String at = document.sourceName() + ":" + document.line();
    Optional<RequestedInput> input = RequestedInput.of(document);
    if (ServiceOrClaim.isOne(document)) {
      return ServiceOrClaim.refusals(document).stream().map(document::describe).toList();
    }
    if (input.isEmpty()) {
      return List.of(
          at
              + ": kind: "
              + kind
              + " is not supported; stint run accepts Jobs, and the ConfigMaps, Secrets,"
              + " PersistentVolumeClaims and headless Services that they use");
    }
    return input.get().name().isEmpty() ? List.of(at + ": metadata.name: is required") : List.of();
  }

  private List<String> refusals(RequestedJob job) {
    List<String> refusals = new ArrayList<>();
    if (job.name().isEmpty()) {
      refusals.add(
          job.source()
              + ": metadata.name: is required; stint run finds a Job by its name to resume it");
    }
    if (!job.managedBy().equals(Names.BUILT_IN_CONTROLLER)) {
      refusals.add(
          job.source()
              + ": spec.managedBy: "
              + job.managedBy()
              + " does not run here; remove the field");
    }
    if (Boolean.TRUE.equals(Json.bool(job.tree().get("spec"), "suspend")) && job.after() == null) {
      refusals.add(job.source() + ": spec.suspend: must be false; nothing would resume the Job");
    }
    String before = sources.put(job.namespace() + "/" + job.name(), job.source());
    if (before != null) {
      refusals.add(
          job.source()
              + ": metadata.name: "
              + job.name()
              + " is already used at "
              + before
              + "; rename one");
    }
    ObjectNode template = Json.objectAt(job.tree().get("spec"), "template");
    if (template != null) {
      refusals.addAll(refusals(job, template));
    }
    return refusals;
  }

  /** Returns the fields of a pod that the runtime does not support. */
  private List<String> refusals(RequestedJob job, ObjectNode template) {
    List<String> refusals = new ArrayList<>();
    if (runtime == RuntimeKind.process) {
      refusals.addAll(missingCommands(job, template));
    }
    KubeObject pod = KubeObject.of(template);
    List<FieldError> faults =
        switch (runtime) {
          case process -> ProcessRuntime.refusals(pod, "spec.template", pods.processes());
          case container -> ContainerRuntime.refusals(pod, "spec.template", pods.containers());
          case simulated, none -> List.of();
        };
    if (runtime == RuntimeKind.process || runtime == RuntimeKind.container) {
      TokenRefusals.withoutServer(pod, "spec.template")
          .forEach(fault -> refusals.add(job.document().describe(fault)));
    }
    faults.forEach(fault -> refusals.add(job.document().describe(fault)));
    return refusals;
  }

  /**
   * Returns the containers without a command, which their image would define; there is no image
   * here.
   */
  private static List<String> missingCommands(RequestedJob job, ObjectNode template) {
    List<String> refusals = new ArrayList<>();
    for (String list : List.of("initContainers", "containers")) {
      JsonNode containers = Json.arrayAt(Json.objectAt(template, "spec"), list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        if (containers.get(i).path("command").isEmpty()) {
          String path = "spec.template.spec." + list + "[" + i + "].command";
          String detail = "is required, because --runtime process does not use images";
          refusals.add(
              job.document().describe(new FieldError(path, FieldError.Type.REQUIRED, detail)));
        }
      }
    }
    return refusals;
  }
}
