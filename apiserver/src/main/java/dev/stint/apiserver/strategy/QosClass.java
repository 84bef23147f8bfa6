package dev.stint.apiserver.strategy;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The quality of service class of a pod, derived from its resources: {@code status.qosClass}. */
enum QosClass {
  /**
   * Every container, or the pod itself, has limits for CPU and memory, and requests equal to them.
   */
  GUARANTEED("Guaranteed"),
  /** Some request or limit is set. */
  BURSTABLE("Burstable"),
  /** No request or limit is set. */
  BEST_EFFORT("BestEffort");

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private final String text;

  QosClass(String text) {
    this.text = text;
  }

  /** Returns the class of a pod that has its defaults. The pod's own resources take precedence. */
  static QosClass of(ObjectNode pod) {
    ObjectNode spec = Json.objectAt(pod, "spec");
    ObjectNode own = Json.objectAt(spec, "resources");
    Totals totals = new Totals();
    if (own != null) {
      totals.addPod(own);
    } else if (spec != null) {
      spec.path("initContainers").forEach(totals::addContainer);
      spec.path("containers").forEach(totals::addContainer);
    }
    return totals.verdict();
  }

  /** The sums of requests and limits. */
  private static final class Totals {
    private final Map<String, Quantity> requests = new HashMap<>();
    private final Map<String, Quantity> limits = new HashMap<>();
    private boolean limited = true;

    void addPod(ObjectNode resources) {
      add(resources.path("requests"), requests);
      if (!resources.path("limits").isEmpty()) {
        limited = add(resources.path("limits"), limits);
      }
    }

    void addContainer(JsonNode container) {
      add(container.path("resources").path("requests"), requests);
      limited &= add(container.path("resources").path("limits"), limits);
    }

    /** Adds the amounts above 0; returns true if both CPU and memory are among them. */
    private static boolean add(JsonNode amounts, Map<String, Quantity> totals) {
      boolean all = true;
      for (String name : COUNTED) {
        JsonNode found = amounts.path(name);
        Quantity amount = found.isString() ? Quantity.parse(found.stringValue()) : null;
        if (amount != null && amount.value().signum() > 0) {
          totals.merge(name, amount, Quantity::plus);
        } else {
          all = false;
        }
      }
      return all;
    }

    QosClass verdict() {
      if (requests.isEmpty() && limits.isEmpty()) {
        return BEST_EFFORT;
      }
      boolean alike =
          requests.size() == limits.size()
              && requests.entrySet().stream()
                  .allMatch(request -> {
                    Quantity limit = limits.get(request.getKey());
                    return limit != null && limit.compareTo(request.getValue()) == 0;
                  });
      return limited && alike ? GUARANTEED : BURSTABLE;
    }
  }

  /** Returns the text for the status. */
  @Override
  public String toString() {
    return text;
  }
}
