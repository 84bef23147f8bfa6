package dev.stint.controllers.job;

import dev.stint.engine.pod.ContainerMemory;
import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Gives containers of a new pod more memory than their template says (decision 91). */
final class RaisedMemory {
  private RaisedMemory() {}

  /**
   * Raises requests and limits that are smaller; adds none.
   *
   * @param spec the pod's specification, whose members may be shared with other pods
   * @return the raised containers, such as {@code main=1536Mi}; "" if there are none
   */
  static String apply(ObjectNode spec, List<ContainerMemory> memory) {
    List<String> raised = new ArrayList<>(1);
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(spec, list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        ContainerMemory wanted = of(Json.text(containers.get(i), "name"), memory);
        if (wanted != null && containers.get(i) instanceof ObjectNode container) {
          ObjectNode larger = container.deepCopy();
          if (raise(larger, wanted)) {
            raised.add(wanted.container() + "=" + text(wanted.size()));
            containers = with(containers, i, larger);
            spec.set(list, containers);
          }
        }
      }
    }
    return String.join(",", raised);
  }

  private static @Nullable ContainerMemory of(@Nullable String name, List<ContainerMemory> memory) {
    return memory.stream().filter(each -> each.container().equals(name)).findFirst().orElse(null);
  }

  private static boolean raise(ObjectNode container, ContainerMemory wanted) {
    ObjectNode resources = Json.objectAt(container, "resources");
    boolean request = raise(Json.objectAt(resources, "requests"), wanted.request());
    boolean limit = raise(Json.objectAt(resources, "limits"), wanted.limit());
    return request || limit;
  }

  private static boolean raise(@Nullable ObjectNode amounts, long bytes) {
    String text = Json.text(amounts, "memory");
    Quantity amount = text == null ? null : Quantity.parse(text);
    if (amounts == null || amount == null || amount.value().compareTo(value(bytes)) >= 0) {
      return false;
    }
    amounts.put("memory", text(bytes));
    return true;
  }

  private static ArrayNode with(ArrayNode containers, int place, ObjectNode changed) {
    ArrayNode own = Json.array();
    own.addAll(containers);
    own.set(place, changed);
    return own;
  }

  private static String text(long bytes) {
    return new Quantity(value(bytes), Quantity.Style.BINARY).canonical();
  }

  private static BigDecimal value(long bytes) {
    return BigDecimal.valueOf(bytes);
  }
}
