package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.Variables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A mount of a volume in a container.
 *
 * @param path absolute and normalized
 * @param subPath the mounted part of the volume, relative to it; empty for all
 */
record VolumeMount(String volume, Path path, String subPath, boolean readOnly) {
  /**
   * Returns the mounts of a container.
   *
   * @param variables replace the references {@code $(VAR)} of {@code subPathExpr}
   */
  static List<VolumeMount> of(ObjectNode container, Variables variables)
      throws ExpansionLimitException {
    List<VolumeMount> mounts = new ArrayList<>();
    ArrayNode found = Json.arrayAt(container, "volumeMounts");
    if (found != null) {
      for (JsonNode mount : found) {
        String expression = orEmpty(Json.text(mount, "subPathExpr"));
        mounts.add(
            new VolumeMount(
                orEmpty(Json.text(mount, "name")),
                Path.of("/").resolve(orEmpty(Json.text(mount, "mountPath"))).normalize(),
                expression.isEmpty()
                    ? orEmpty(Json.text(mount, "subPath"))
                    : variables.expand(expression),
                Boolean.TRUE.equals(Json.bool(mount, "readOnly"))));
      }
    }
    return mounts;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
