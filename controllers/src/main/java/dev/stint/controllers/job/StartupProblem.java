package dev.stint.controllers.job;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.PodScheduled;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds out what keeps a pod from starting: an image, a missing input, or no node for it. */
final class StartupProblem {
  /** The reasons of containers that are about to start, and wait for nothing in particular. */
  private static final Set<String> ON_THE_WAY = Set.of("ContainerCreating", "PodInitializing");

  private static final int LONGEST = 500;

  private StartupProblem() {}

  /** Returns the reason and its message, such as {@code ImagePullBackOff: …}; "" if unknown. */
  static String of(KubeObject pod) {
    String problem = waiting(pod);
    if (problem == null) {
      problem = unscheduled(pod);
    }
    return problem == null ? "" : problem.substring(0, Math.min(problem.length(), LONGEST));
  }

  private static @Nullable String waiting(KubeObject pod) {
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode container : elements(pod, list)) {
        JsonNode waiting = container.path("state").path("waiting");
        String reason = waiting.path("reason").asString("");
        String message = waiting.path("message").asString("");
        if (!reason.isEmpty() && !(ON_THE_WAY.contains(reason) && message.isEmpty())) {
          return text(reason, message);
        }
      }
    }
    return null;
  }

  private static @Nullable String unscheduled(KubeObject pod) {
    ObjectNode refusal = PodScheduled.refusal(pod);
    return refusal == null
        ? null
        : text(
            refusal.path("reason").asString("Unschedulable"), refusal.path("message").asString(""));
  }

  private static String text(String reason, String message) {
    return message.isEmpty() ? reason : reason + ": " + message;
  }

  private static Iterable<JsonNode> elements(KubeObject pod, String list) {
    JsonNode found = Json.arrayAt(pod.status(), list);
    return found == null ? List.of() : found;
  }
}
