package dev.stint.cli.file;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.runner.container.daemon.ImageRef;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Names of images that no node of a cluster can pull. A process on this machine uses no image. */
public final class ImageFaults {
  private ImageFaults() {}

  /**
   * Returns the faults in a list of containers.
   *
   * @param path of the list
   */
  public static List<FieldError> of(JsonNode containers, String path) {
    List<FieldError> faults = new ArrayList<>();
    for (int i = 0; i < containers.size(); i++) {
      String image = Json.text(containers.get(i), "image");
      if (image != null && ImageRef.parse(image).isEmpty()) {
        faults.add(
            new FieldError(path + "[" + i + "].image", FieldError.Type.INVALID, words(image)));
      }
    }
    return faults;
  }

  private static String words(String image) {
    return "\"%s\" is not the name of an image, such as registry.example/tool:1.2; its pods would wait with InvalidImageName"
        .formatted(image);
  }
}
