package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The resources that the containers of a pod need together: the sum of the main containers and the
 * sidecars, or the sum of an init container and the sidecars before it, whichever is more.
 */
public final class ContainerAmounts {
  private ContainerAmounts() {}

  /** Returns the requests of a pod's specification. */
  static Map<String, Quantity> requests(JsonNode spec) {
    return of(spec, "requests");
  }

  /** Returns the limits of a pod's specification. */
  static Map<String, Quantity> limits(JsonNode spec) {
    return of(spec, "limits");
  }

  /**
   * Returns the requests or the limits of a pod, for accounting: its own, where it has some, take
   * the place of its containers'.
   *
   * @param member "requests" or "limits"
   */
  public static Map<String, Quantity> ofPod(JsonNode spec, String member) {
    Map<String, Quantity> amounts = of(spec, member);
    amounts.putAll(amounts(spec, member));
    return amounts;
  }

  /**
   * Returns the requests or the limits of a pod with its overhead, which {@code RuntimeClass} adds
   * ("Pod Overhead" of the Kubernetes documentation). What has no limit, or 0, has the same with
   * it.
   *
   * @param member "requests" or "limits"
   */
  public static Map<String, Quantity> withOverhead(JsonNode spec, String member) {
    Map<String, Quantity> amounts = ofPod(spec, member);
    Map<String, Quantity> overhead = parsed(spec.path("overhead"));
    if (member.equals("limits")) {
      overhead.keySet().removeIf(name -> isZero(amounts.get(name)));
    }
    merge(amounts, overhead, Quantity::plus);
    return amounts;
  }

  private static boolean isZero(@Nullable Quantity limit) {
    return limit == null || limit.value().signum() == 0;
  }

  /** Returns the amounts of a container, or of a pod itself. */
  public static Map<String, Quantity> ofHolder(JsonNode holder, String member) {
    return amounts(holder, member);
  }

  private static Map<String, Quantity> of(JsonNode spec, String member) {
    Map<String, Quantity> running = new HashMap<>();
    Map<String, Quantity> sidecars = new HashMap<>();
    Map<String, Quantity> peak = new HashMap<>();
    for (JsonNode container : spec.path("containers")) {
      merge(running, amounts(container, member), Quantity::plus);
    }
    for (JsonNode container : spec.path("initContainers")) {
      Map<String, Quantity> own = amounts(container, member);
      if ("Always".equals(Json.text(container, "restartPolicy"))) {
        merge(running, own, Quantity::plus);
        merge(sidecars, own, Quantity::plus);
        own = sidecars;
      } else {
        merge(own, sidecars, Quantity::plus);
      }
      merge(peak, own, ContainerAmounts::greater);
    }
    merge(running, peak, ContainerAmounts::greater);
    return running;
  }

  private static Map<String, Quantity> amounts(JsonNode container, String member) {
    return parsed(container.path("resources").path(member));
  }

  private static Map<String, Quantity> parsed(JsonNode texts) {
    Map<String, Quantity> amounts = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : texts.properties()) {
      Quantity amount = Quantity.parse(entry.getValue().asString(""));
      if (amount != null) {
        amounts.put(entry.getKey(), amount);
      }
    }
    return amounts;
  }

  private static void merge(
      Map<String, Quantity> into, Map<String, Quantity> more, BinaryOperator<Quantity> how) {
    more.forEach((name, amount) -> into.merge(name, amount, how));
  }

  private static Quantity greater(Quantity one, Quantity other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
