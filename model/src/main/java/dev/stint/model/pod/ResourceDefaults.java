package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of resource amounts. */
public final class ResourceDefaults {
  private static final int MILLI = 3;

  /** The resources that a node may overcommit. */
  private static final Set<String> OVERCOMMITTED = Set.of("cpu", "memory");

  private ResourceDefaults() {}

  /** Rounds amounts up to a thousandth, the finest amount of a resource. */
  public static void roundUp(@Nullable ObjectNode resources) {
    if (resources != null) {
      roundUp(resources, "limits");
      roundUp(resources, "requests");
    }
  }

  /** Rounds the amounts of one member up, likewise. */
  public static void roundUp(ObjectNode holder, String member) {
    ObjectNode amounts = Json.objectAt(holder, member);
    if (amounts == null) {
      return;
    }
    for (Map.Entry<String, JsonNode> entry : amounts.properties()) {
      Quantity amount = Quantity.parse(entry.getValue().asString(""));
      if (amount != null && amount.value().scale() > MILLI) {
        Quantity rounded =
            new Quantity(amount.value().setScale(MILLI, RoundingMode.UP), amount.style());
        String written = rounded.readable();
        if (written != null) {
          amounts.put(entry.getKey(), written);
        }
      }
    }
  }

  /**
   * Completes a pod's own resources from its containers: the limits of huge pages and, if the pod
   * has limits, the requests of cpu and memory. A resource with a limit and no request then
   * requests its limit.
   */
  static void ofPod(ObjectNode spec) {
    ObjectNode resources = Json.objectAt(spec, "resources");
    if (resources == null) {
      return;
    }
    fillIn(resources, "limits", hugePages(spec, resources));
    ObjectNode limits = Json.objectAt(resources, "limits");
    if (limits == null || limits.isEmpty()) {
      return;
    }
    Map<String, Quantity> requests = ContainerAmounts.requests(spec);
    requests.keySet().retainAll(OVERCOMMITTED);
    fillIn(resources, "requests", requests);
    Map<String, Quantity> limited = amounts(limits);
    limited.keySet().removeIf(name -> !PodResourceRules.isSupported(name));
    fillIn(resources, "requests", limited);
  }

  private static Map<String, Quantity> hugePages(ObjectNode spec, ObjectNode resources) {
    Map<String, Quantity> limits = ContainerAmounts.limits(spec);
    ObjectNode requests = Json.objectAt(resources, "requests");
    limits
        .keySet()
        .removeIf(name ->
            !name.startsWith(ResourceRules.HUGE_PAGES) || requests != null && requests.has(name));
    return limits;
  }

  /** Adds missing amounts; sums that are too large to be parsed again are left out. */
  private static void fillIn(ObjectNode resources, String member, Map<String, Quantity> more) {
    more.forEach((name, amount) -> {
      ObjectNode amounts = resources.withObjectProperty(member);
      String written = amounts.has(name) ? null : amount.readable();
      if (written != null) {
        amounts.put(name, written);
      }
    });
  }

  private static Map<String, Quantity> amounts(ObjectNode limits) {
    Map<String, Quantity> amounts = new TreeMap<>();
    limits
        .properties()
        .forEach(limit -> {
          Quantity amount = Quantity.parse(limit.getValue().asString(""));
          if (amount != null) {
            amounts.put(limit.getKey(), amount);
          }
        });
    return amounts;
  }

  /** Sets the request of each resource without one to the resource's limit. */
  static void requestLimits(ObjectNode container) {
    ObjectNode resources = Json.objectAt(container, "resources");
    ObjectNode limits = Json.objectAt(resources, "limits");
    if (resources == null || limits == null) {
      return;
    }
    ObjectNode requests = resources.withObjectProperty("requests");
    limits
        .properties()
        .forEach(limit -> {
          if (!requests.has(limit.getKey())) {
            requests.set(limit.getKey(), limit.getValue());
          }
        });
  }
}
