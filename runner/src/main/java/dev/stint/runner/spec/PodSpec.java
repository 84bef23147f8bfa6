package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.PodPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the fields of a pod that the runner uses. */
public final class PodSpec {
  /** A hundred years; a longer time has the same effect, and might overflow. */
  public static final long FOREVER_SECONDS = 100L * 365 * 24 * 3600;

  private PodSpec() {}

  public static @Nullable String nodeName(KubeObject pod) {
    return Json.text(pod.spec(), "nodeName");
  }

  /** Returns the generation of a pod; 0 if it is not counted. */
  public static long generation(KubeObject pod) {
    Long generation = Json.longInteger(pod.metadata(), "generation");
    return generation == null ? 0 : generation;
  }

  public static boolean isFinished(KubeObject pod) {
    return PodPhase.of(pod).isTerminal();
  }

  public static List<ObjectNode> containers(KubeObject pod) {
    return objects(pod, "containers");
  }

  public static List<ObjectNode> initContainers(KubeObject pod) {
    return objects(pod, "initContainers");
  }

  /** Returns the role of a container, by its name. */
  public static ContainerRole role(KubeObject pod, String container) {
    for (ObjectNode each : initContainers(pod)) {
      if (container.equals(Json.text(each, "name"))) {
        return ContainerRole.ofInitContainer(each);
      }
    }
    return ContainerRole.MAIN;
  }

  private static List<ObjectNode> objects(KubeObject pod, String member) {
    ArrayNode found = Json.arrayAt(pod.spec(), member);
    if (found == null) {
      return List.of();
    }
    List<ObjectNode> objects = new ArrayList<>(found.size());
    for (JsonNode each : found) {
      if (each instanceof ObjectNode object) {
        objects.add(object);
      }
    }
    return objects;
  }

  /** Returns the priority; higher ones go first, 0 if the pod sets none. */
  public static int priority(KubeObject pod) {
    Integer priority = Json.integer(pod.spec(), "priority");
    return priority == null ? 0 : priority;
  }

  /** Returns the condition types that the pod needs to be ready, besides its containers. */
  public static List<String> readinessGates(KubeObject pod) {
    List<ObjectNode> gates = objects(pod, "readinessGates");
    return gates.isEmpty()
        ? List.of() // So it is with nearly all pods, each of whose changes asks.
        : gates.stream()
            .map(gate -> Json.text(gate, "conditionType"))
            .filter(Objects::nonNull)
            .toList();
  }

  public static @Nullable String restartPolicy(KubeObject pod) {
    return Json.text(pod.spec(), "restartPolicy");
  }

  public static long terminationGraceSeconds(KubeObject pod) {
    Long grace = Json.longInteger(pod.spec(), "terminationGracePeriodSeconds");
    return grace == null ? 30 : grace;
  }

  /** Returns the grace period, bounded so that it can be added to a time. */
  public static long boundedGraceSeconds(KubeObject pod) {
    return Math.min(terminationGraceSeconds(pod), FOREVER_SECONDS);
  }

  /** Returns the grace period of a pod that is being deleted. */
  public static long deletionGraceSeconds(KubeObject pod) {
    Long grace = Json.longInteger(pod.metadata(), "deletionGracePeriodSeconds");
    return grace == null ? terminationGraceSeconds(pod) : grace;
  }

  public static @Nullable Long activeDeadlineSeconds(KubeObject pod) {
    return Json.longInteger(pod.spec(), "activeDeadlineSeconds");
  }
}
