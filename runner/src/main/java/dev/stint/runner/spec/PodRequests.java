package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The resource requests of a pod. Requests of the pod itself come first. Otherwise they are the sum
 * of the main containers and the sidecars, or of an init container and the sidecars before it,
 * whichever is more, plus the overhead ("Resource sharing within containers" of init containers).
 *
 * @param amount cores, memory, and devices such as {@code nvidia.com/gpu}
 */
public record PodRequests(ResourceAmount amount) {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  /** The resources that are no devices. Every machine has the last two, which are not counted. */
  private static final Set<String> OTHERS = Set.of(CPU, MEMORY, "ephemeral-storage", "pods");

  /** Reads a pod, or an object with a pod's {@code spec}. */
  public static PodRequests of(KubeObject pod) {
    ResourceAmount sidecars = ResourceAmount.NONE;
    ResourceAmount peak = ResourceAmount.NONE;
    for (ObjectNode container : PodSpec.initContainers(pod)) {
      ResourceAmount own = requests(container);
      peak = peak.max(sidecars.plus(own));
      if (ContainerRole.ofInitContainer(container) == ContainerRole.SIDECAR) {
        sidecars = sidecars.plus(own);
      }
    }
    ResourceAmount running = sidecars;
    for (ObjectNode container : PodSpec.containers(pod)) {
      running = running.plus(requests(container));
    }
    ResourceAmount sum = ofPodItself(pod, running.max(peak));
    ResourceAmount overhead = amounts(Json.objectAt(pod.spec(), "overhead"));
    return new PodRequests(sum.plus(overhead));
  }

  /** Reads one container. */
  public static PodRequests ofContainer(ObjectNode container) {
    return new PodRequests(requests(container));
  }

  /**
   * Returns why the pod can never run on such a machine; null if it can once there is room.
   *
   * @param machine all resources of the machine
   */
  public @Nullable String obstacle(ResourceAmount machine) {
    List<String> obstacles = new ArrayList<>();
    if (amount.milliCpu() > machine.milliCpu()) {
      obstacles.add(
          "insufficient cpu: the pod requests %s, this machine has %s"
              .formatted(cores(amount.milliCpu()), cores(machine.milliCpu())));
    }
    if (amount.memoryBytes() > machine.memoryBytes()) {
      obstacles.add(
          "insufficient memory: the pod requests %s, this machine has %s"
              .formatted(mebibytes(amount.memoryBytes()), mebibytes(machine.memoryBytes())));
    }
    new TreeMap<>(amount.devices())
        .forEach((name, wanted) -> {
          long available = machine.devicesOf(name);
          if (wanted > available) {
            obstacles.add(
                "insufficient %s: the pod requests %d, this machine has %s"
                    .formatted(name, wanted, available == 0 ? "none" : available));
          }
        });
    return obstacles.isEmpty()
        ? null
        : "0/1 nodes are available: " + String.join("; ", obstacles) + ".";
  }

  private static ResourceAmount ofPodItself(KubeObject pod, ResourceAmount sum) {
    ObjectNode resources = Json.objectAt(pod.spec(), "resources");
    if (resources == null) {
      return sum;
    }
    ResourceAmount own = requests(pod.spec());
    ObjectNode requests = Json.objectAt(resources, "requests");
    return new ResourceAmount(
        requests != null && requests.has(CPU) ? own.milliCpu() : sum.milliCpu(),
        requests != null && requests.has(MEMORY) ? own.memoryBytes() : sum.memoryBytes(),
        sum.max(own).devices());
  }

  /** Returns the requests; a limit without a request counts as the request. */
  private static ResourceAmount requests(@Nullable JsonNode holder) {
    ObjectNode resources = Json.objectAt(holder, "resources");
    if (resources == null) {
      return ResourceAmount.NONE;
    }
    ObjectNode wanted = Json.copyOf(Json.objectAt(resources, "limits"));
    ObjectNode requests = Json.objectAt(resources, "requests");
    if (requests != null) {
      wanted.setAll(requests);
    }
    return amounts(wanted).withDevices(devices(wanted));
  }

  private static Map<String, Long> devices(ObjectNode wanted) {
    Map<String, Long> devices = new HashMap<>();
    for (String name : wanted.propertyNames()) {
      if (!OTHERS.contains(name) && amount(wanted, name).signum() > 0) {
        devices.put(name, whole(amount(wanted, name)));
      }
    }
    return devices.isEmpty() ? Map.of() : devices;
  }

  private static ResourceAmount amounts(@Nullable ObjectNode amounts) {
    return new ResourceAmount(
        whole(amount(amounts, CPU).movePointRight(3)), whole(amount(amounts, MEMORY)));
  }

  private static BigDecimal amount(@Nullable ObjectNode amounts, String name) {
    JsonNode found = amounts == null ? null : amounts.get(name);
    Quantity quantity = found == null ? null : Quantity.parse(found.asString(""));
    return quantity == null || quantity.isNegative() ? BigDecimal.ZERO : quantity.value();
  }

  private static long whole(BigDecimal amount) {
    BigDecimal rounded = amount.setScale(0, RoundingMode.CEILING);
    return rounded.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact();
  }

  private static String cores(long milliCpu) {
    return BigDecimal.valueOf(milliCpu, 3).stripTrailingZeros().toPlainString();
  }

  private static String mebibytes(long bytes) {
    return (bytes + (1 << 20) - 1 >> 20) + "Mi";
  }
}
