package dev.stint.cli.report;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Explains why pods failed, as far as their statuses say. */
public final class FailedPods {
  private static final int MOST = 3;

  /** Reasons that add nothing to the exit code. */
  private static final Set<String> SAYS_NOTHING = Set.of("", "Error", "Completed", "StartError");

  private FailedPods() {}

  /**
   * Returns a line for each of the last containers that failed, a few at most; none if none did.
   */
  public static List<String> lines(List<KubeObject> pods) {
    List<String> lines = new ArrayList<>();
    for (KubeObject pod : pods.reversed()) {
      of(pod).stream().limit(MOST - lines.size()).forEach(lines::add);
    }
    return lines;
  }

  /**
   * Returns the reason of the pod, or else those of its containers. If the pod failed as a whole,
   * its containers only followed. Sidecars end by a signal when their pod does, so the other
   * containers go first.
   */
  private static List<String> of(KubeObject pod) {
    List<String> found = ofPod(pod);
    for (String list : List.of("containerStatuses", "initContainerStatuses")) {
      if (found.isEmpty()) {
        found = ofContainers(pod, list);
      }
    }
    return found;
  }

  private static List<String> ofContainers(KubeObject pod, String member) {
    List<String> lines = new ArrayList<>();
    JsonNode containers = Json.arrayAt(pod.status(), member);
    for (int i = 0; containers != null && i < containers.size(); i++) {
      String line = line(pod, containers.get(i));
      if (line != null) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static List<String> ofPod(KubeObject pod) {
    String reason = text(pod.status(), "reason");
    String message = text(pod.status(), "message");
    boolean failed = "Failed".equals(Json.text(pod.status(), "phase"));
    return failed && !message.isEmpty()
        ? List.of(name(pod) + ": " + (reason.isEmpty() ? "" : reason + ": ") + message)
        : List.of();
  }

  private static @Nullable String line(KubeObject pod, JsonNode container) {
    ObjectNode terminated = Json.objectAt(Json.objectAt(container, "state"), "terminated");
    Integer code = Json.integer(terminated, "exitCode");
    if (code == null || code == 0) {
      return null;
    }
    String reason = text(terminated, "reason");
    String message = text(terminated, "message");
    return name(pod)
        + ": container "
        + Json.text(container, "name")
        + " exited with "
        + code
        + (SAYS_NOTHING.contains(reason) ? "" : " (" + reason + ")")
        + (message.isEmpty() ? "" : ": " + message.strip().lines().findFirst().orElse(""));
  }

  private static String text(@Nullable JsonNode parent, String member) {
    return Objects.requireNonNullElse(Json.text(parent, member), "");
  }

  private static String name(KubeObject pod) {
    String index = pod.annotation(Names.COMPLETION_INDEX);
    return (index == null ? "" : "index " + index + ", ") + "pod " + pod.name();
  }
}
