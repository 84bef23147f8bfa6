package dev.stint.model.quota;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.Quantity;
import dev.stint.model.pod.ContainerAmounts;
import dev.stint.model.pod.PodPhase;
import java.math.BigDecimal;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Counts what an object uses, by the names that quotas have for it. */
final class ObjectUsage {
  private static final Quantity ONE = new Quantity(BigDecimal.ONE, Quantity.Style.DECIMAL);

  private ObjectUsage() {}

  /**
   * Returns what an object uses.
   *
   * @param object null if there is none, which uses nothing
   */
  static NavigableMap<String, Quantity> of(Kind kind, @Nullable ObjectNode object) {
    NavigableMap<String, Quantity> usage = new TreeMap<>();
    if (object == null) {
      return usage;
    }
    usage.put(QuotaResource.count(kind), ONE);
    if (kind.equals(Kind.POD)) {
      addPod(object, usage);
    } else if (kind.group().isEmpty() && QuotaResource.COUNTED.contains(kind.plural())) {
      usage.put(kind.plural(), ONE);
    }
    return usage;
  }

  /** Adds what a pod uses until it has ended; then it is only an object. */
  private static void addPod(ObjectNode pod, NavigableMap<String, Quantity> usage) {
    ObjectNode spec = Json.objectAt(pod, "spec");
    if (spec == null || PodPhase.of(pod).isTerminal()) {
      return;
    }
    usage.put(QuotaResource.PODS, ONE);
    ContainerAmounts.withOverhead(spec, "requests")
        .forEach((name, amount) -> {
          if (QuotaResource.COMPUTE.contains(name) || name.startsWith(QuotaResource.HUGE_PAGES)) {
            usage.put(name, amount);
          }
          usage.put(QuotaResource.REQUESTS + name, amount);
        });
    ContainerAmounts.withOverhead(spec, "limits")
        .forEach((name, amount) -> {
          if (QuotaResource.COMPUTE.contains(name)) {
            usage.put(QuotaResource.LIMITS + name, amount);
          }
        });
  }
}
