package dev.stint.cli.validate;

import dev.stint.cli.file.ImageFaults;
import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The reasons why a cluster refuses or can never run an object that {@code stint run} accepts. */
final class ClusterRefusals {
  /** The paths of specifications of pods: in a Pod, a Job and a CronJob. */
  private static final List<String> SPECS =
      List.of("spec", "spec.template.spec", "spec.jobTemplate.spec.template.spec");

  private ClusterRefusals() {}

  static List<String> of(Document document) {
    List<FieldError> faults = new ArrayList<>();
    JsonNode tree = document.object().tree();
    if (Json.text(tree.get("metadata"), "resourceVersion") != null) {
      faults.add(
          new FieldError(
              "metadata.resourceVersion",
              FieldError.Type.INVALID,
              "must not be set on a new object; remove it"));
    }
    for (String path : SPECS) {
      JsonNode spec = tree.at("/" + path.replace('.', '/'));
      for (String list : List.of("initContainers", "containers")) {
        faults.addAll(ImageFaults.of(spec.path(list), path + "." + list));
      }
    }
    return faults.stream().map(document::describe).toList();
  }
}
