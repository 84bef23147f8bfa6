package dev.stint.cli;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Why pods failed, in words, as far as their statuses tell. */
final class FailedPods {
  private static final int MOST = 3;

  private FailedPods() {}

  /** A line for each of the last containers that failed, a few at most; none where none did. */
  static List<String> lines(List<KubeObject> pods) {
    List<String> lines = new ArrayList<>();
    for (KubeObject pod : pods.reversed()) {
      JsonNode containers = Json.arrayAt(pod.status(), "containerStatuses");
      for (int i = 0; containers != null && i < containers.size() && lines.size() < MOST; i++) {
        String line = line(pod, containers.get(i));
        if (line != null) {
          lines.add(line);
        }
      }
    }
    return lines;
  }

  private static @Nullable String line(KubeObject pod, JsonNode container) {
    ObjectNode terminated = Json.objectAt(Json.objectAt(container, "state"), "terminated");
    Integer code = Json.integer(terminated, "exitCode");
    if (code == null || code == 0) {
      return null;
    }
    String index = pod.annotations().get(Names.COMPLETION_INDEX);
    String message = Objects.requireNonNullElse(Json.text(terminated, "message"), "");
    return (index == null ? "" : "index " + index + ", ")
        + "pod "
        + pod.name()
        + ": container "
        + Json.text(container, "name")
        + " exited with "
        + code
        + (message.isEmpty() ? "" : ": " + message.strip().lines().findFirst().orElse(""));
  }
}
