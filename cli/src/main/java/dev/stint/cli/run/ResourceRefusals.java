package dev.stint.cli.run;

import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import dev.stint.runner.spec.PodRequests;
import dev.stint.runner.spec.ResourceAmount;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The reasons why pods can never run, since they request more than there is: a machine does not
 * grow while a command waits.
 *
 * @param machine what all pods share
 */
public record ResourceRefusals(ResourceAmount machine) {
  /** Throws a {@link UserException} if pods of one of the Jobs can never run. */
  void check(List<RequestedJob> jobs) {
    List<String> lines = jobs.stream().flatMap(job -> of(job).stream()).toList();
    if (!lines.isEmpty()) {
      throw new UserException(ExitCode.USAGE, lines);
    }
  }

  /** Returns the reasons to refuse a document, as lines for users; none for what is no Job. */
  public List<String> of(Document document) {
    return RequestedJob.isJob(document) ? of(RequestedJob.of(document)) : List.of();
  }

  /** Returns the reasons to refuse a Job, as lines for users. */
  List<String> of(RequestedJob job) {
    ObjectNode template = Json.objectAt(job.tree().get("spec"), "template");
    String obstacle =
        template == null ? null : PodRequests.of(KubeObject.of(template)).obstacle(machine);
    return obstacle == null
        ? List.of()
        : List.of(
            job.document()
                .describe(
                    new FieldError("spec.template.spec", FieldError.Type.NOT_SUPPORTED, obstacle)));
  }
}
