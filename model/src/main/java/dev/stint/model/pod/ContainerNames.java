package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The names of a pod's containers, in their order. */
public final class ContainerNames {
  private ContainerNames() {}

  /**
   * Returns the names in one of a pod's lists.
   *
   * @param member the list, such as {@code initContainers}; it may be absent
   */
  public static List<String> of(KubeObject pod, String member) {
    List<String> names = new ArrayList<>();
    ArrayNode found = Json.arrayAt(pod.spec(), member);
    if (found != null) {
      for (JsonNode container : found) {
        String name = Json.text(container, "name");
        if (name != null) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
