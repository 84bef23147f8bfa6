package dev.stint.cli.run;

import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.FewNames;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.process.ProcessRuntime;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Tells a user, once a command, that limits of its Jobs are not enforced on this machine. */
final class LimitsNote {
  private LimitsNote() {}

  /** Returns one line about the first such limit; empty if all are enforced. */
  static Optional<String> of(List<RequestedJob> jobs) {
    List<String> unenforced = jobs.stream().flatMap(job -> of(job).stream()).toList();
    return unenforced.stream()
        .findFirst()
        .map(first ->
            "warning: "
                + FewNames.of(List.of(first), unenforced.size())
                + "; --require-limits refuses that");
  }

  private static List<String> of(RequestedJob job) {
    ObjectNode template = Json.objectAt(job.tree().get("spec"), "template");
    return template == null
        ? List.of()
        : ProcessRuntime.unenforcedLimits(KubeObject.of(template), "spec.template").stream()
            .map(job.document()::describe)
            .toList();
  }
}
