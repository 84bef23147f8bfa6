package dev.stint.cli.validate;

import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import dev.stint.runner.container.daemon.ImageRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
        images(spec.get(list), path + "." + list, faults);
      }
    }
    return faults.stream().map(document::describe).toList();
  }

  /** Adds the images that no node can pull: a process does not use its image. */
  private static void images(@Nullable JsonNode containers, String path, List<FieldError> faults) {
    for (int i = 0; containers != null && i < containers.size(); i++) {
      String image = Json.text(containers.get(i), "image");
      if (image != null && ImageRef.parse(image).isEmpty()) {
        faults.add(
            new FieldError(
                path + "[" + i + "].image",
                FieldError.Type.INVALID,
                "\""
                    + image
                    + "\" is not the name of an image, such as registry.example/tool:1.2; its pods"
                    + " would wait with InvalidImageName"));
      }
    }
  }
}
