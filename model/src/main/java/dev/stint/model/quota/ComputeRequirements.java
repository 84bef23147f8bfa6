package dev.stint.model.quota;

import dev.stint.model.pod.ContainerAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The amounts that every container of a pod must name where a quota limits their sum: without them,
 * its share would be unknown.
 */
final class ComputeRequirements {
  private static final List<String> REQUIRED =
      List.of("cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory");

  private ComputeRequirements() {}

  /**
   * Returns what a pod must say, in Kubernetes' words; empty for nothing.
   *
   * @param limited the names that a quota limits
   */
  static String missing(ObjectNode pod, Set<String> limited) {
    List<String> missing = new ArrayList<>();
    for (String name : REQUIRED) {
      if (limited.contains(name)) {
        TreeSet<String> containers = without(pod.path("spec"), name);
        if (!containers.isEmpty()) {
          missing.add(name + " for: " + String.join(",", containers));
        }
      }
    }
    return missing.isEmpty() ? "" : "must specify " + String.join("; ", missing);
  }

  private static TreeSet<String> without(JsonNode spec, String name) {
    String member = name.startsWith(QuotaResource.LIMITS) ? "limits" : "requests";
    String resource = name.substring(name.indexOf('.') + 1);
    TreeSet<String> containers = new TreeSet<>();
    if (ContainerAmounts.ofHolder(spec, member).containsKey(resource)) {
      return containers;
    }
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.path(list)) {
        if (!ContainerAmounts.ofHolder(container, member).containsKey(resource)) {
          containers.add(container.path("name").asString(""));
        }
      }
    }
    return containers;
  }
}
