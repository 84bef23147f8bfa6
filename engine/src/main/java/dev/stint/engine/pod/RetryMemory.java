package dev.stint.engine.pod;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The memory that a pod hands on to the one after it (decision 91). */
final class RetryMemory {
  private static final String OOM_KILLED = "OOMKilled";
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private RetryMemory() {}

  /**
   * Returns the containers that ran out of memory, and those that have more than their template
   * says; empty for nearly all pods, whose specs are not read.
   */
  static List<ContainerMemory> of(KubeObject pod, boolean failed) {
    Set<String> exhausted = failed ? exhausted(pod.status()) : Set.of();
    Set<String> raised = raised(pod.annotation(Names.RAISED_MEMORY));
    if (exhausted.isEmpty() && raised.isEmpty()) {
      return List.of();
    }
    ObjectNode spec = pod.spec();
    List<ContainerMemory> memory = new ArrayList<>(1);
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : elements(spec, list)) {
        String name = Json.text(container, "name");
        if (name != null && (exhausted.contains(name) || raised.contains(name))) {
          add(memory, name, container, exhausted.contains(name));
        }
      }
    }
    return List.copyOf(memory);
  }

  private static void add(
      List<ContainerMemory> memory, String name, JsonNode container, boolean exhausted) {
    ObjectNode resources = Json.objectAt(container, "resources");
    ContainerMemory found =
        new ContainerMemory(
            name, bytes(resources, "requests"), bytes(resources, "limits"), exhausted);
    if (found.size() > 0) {
      memory.add(found);
    }
  }

  private static long bytes(@Nullable ObjectNode resources, String kind) {
    String text = Json.text(Json.objectAt(resources, kind), "memory");
    Quantity amount = text == null ? null : Quantity.parse(text);
    return amount == null ? 0 : amount.value().min(LARGEST).longValue();
  }

  private static Set<String> exhausted(@Nullable ObjectNode status) {
    Set<String> names = new HashSet<>(1);
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode container : elements(status, list)) {
        ObjectNode end = Json.objectAt(Json.objectAt(container, "state"), "terminated");
        String name = Json.text(container, "name");
        if (name != null && OOM_KILLED.equals(Json.text(end, "reason"))) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private static Set<String> raised(@Nullable String annotation) {
    if (annotation == null) {
      return Set.of();
    }
    Set<String> names = new HashSet<>(1);
    for (String entry : annotation.split(",")) {
      names.add(entry.substring(0, Math.max(0, entry.indexOf('='))));
    }
    return names;
  }

  private static Iterable<JsonNode> elements(@Nullable ObjectNode tree, String member) {
    ArrayNode list = Json.arrayAt(tree, member);
    return list == null ? List.of() : list;
  }
}
