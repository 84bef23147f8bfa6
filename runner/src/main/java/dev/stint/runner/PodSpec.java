package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the runner reads of a pod. */
final class PodSpec {
  private PodSpec() {}

  static @Nullable String nodeName(KubeObject pod) {
    return Json.text(pod.spec(), "nodeName");
  }

  static boolean finished(KubeObject pod) {
    String phase = Json.text(pod.status(), "phase");
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }

  static List<ObjectNode> containers(KubeObject pod) {
    List<ObjectNode> containers = new ArrayList<>();
    ArrayNode found = Json.arrayAt(pod.spec(), "containers");
    if (found != null) {
      for (JsonNode each : found) {
        if (each instanceof ObjectNode container) {
          containers.add(container);
        }
      }
    }
    return containers;
  }

  static long terminationGraceSeconds(KubeObject pod) {
    Long grace = Json.longInteger(pod.spec(), "terminationGracePeriodSeconds");
    return grace == null ? 30 : grace;
  }

  /** The grace of a pod that is being deleted. */
  static long deletionGraceSeconds(KubeObject pod) {
    Long grace = Json.longInteger(pod.metadata(), "deletionGracePeriodSeconds");
    return grace == null ? terminationGraceSeconds(pod) : grace;
  }

  static @Nullable Long activeDeadlineSeconds(KubeObject pod) {
    return Json.longInteger(pod.spec(), "activeDeadlineSeconds");
  }

  /** Whether a container is started again after it ended so. */
  static boolean restarts(KubeObject pod, Exit exit) {
    String policy = Json.text(pod.spec(), "restartPolicy");
    return switch (policy == null ? "Always" : policy) {
      case "Never" -> false;
      case "OnFailure" -> exit.code() != 0;
      default -> true;
    };
  }
}
