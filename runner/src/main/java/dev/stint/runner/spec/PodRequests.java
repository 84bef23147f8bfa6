package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The resource requests of a pod. Requests of the pod itself come first. Otherwise they are the sum
 * of the main containers and the sidecars, or of an init container and the sidecars before it,
 * whichever is more, plus the overhead ("Resource sharing within containers" of init containers).
 *
 * @param amount cores and memory
 * @param foreign the names of other requested resources, such as {@code nvidia.com/gpu}
 */
public record PodRequests(ResourceAmount amount, Set<String> foreign) {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  /** Every machine has these, and they are not counted here. */
  private static final Set<String> UNCOUNTED = Set.of("ephemeral-storage", "pods");

  /** Reads a pod, or an object with a pod's {@code spec}. */
  public static PodRequests of(KubeObject pod) {
    Set<String> foreign = new TreeSet<>();
    ResourceAmount sidecars = ResourceAmount.NONE;
    ResourceAmount peak = ResourceAmount.NONE;
    for (ObjectNode container : PodSpec.initContainers(pod)) {
      ResourceAmount own = requests(container, foreign);
      peak = peak.max(sidecars.plus(own));
      if (ContainerRole.ofInitContainer(container) == ContainerRole.SIDECAR) {
        sidecars = sidecars.plus(own);
      }
    }
    ResourceAmount running = sidecars;
    for (ObjectNode container : PodSpec.containers(pod)) {
      running = running.plus(requests(container, foreign));
    }
    ResourceAmount sum = ofPodItself(pod, running.max(peak), foreign);
    ResourceAmount overhead = amounts(Json.objectAt(pod.spec(), "overhead"));
    return new PodRequests(sum.plus(overhead), Collections.unmodifiableSet(foreign));
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
    foreign.forEach(name -> obstacles.add("insufficient " + name + ": this machine has none"));
    return obstacles.isEmpty()
        ? null
        : "0/1 nodes are available: " + String.join("; ", obstacles) + ".";
  }

  private static ResourceAmount ofPodItself(
      KubeObject pod, ResourceAmount sum, Set<String> foreign) {
    ObjectNode resources = Json.objectAt(pod.spec(), "resources");
    if (resources == null) {
      return sum;
    }
    ResourceAmount own = requests(pod.spec(), foreign);
    ObjectNode requests = Json.objectAt(resources, "requests");
    return new ResourceAmount(
        requests != null && requests.has(CPU) ? own.milliCpu() : sum.milliCpu(),
        requests != null && requests.has(MEMORY) ? own.memoryBytes() : sum.memoryBytes());
  }

  /** Returns the requests; a limit without a request counts as the request. */
  private static ResourceAmount requests(@Nullable JsonNode holder, Set<String> foreign) {
    ObjectNode resources = Json.objectAt(holder, "resources");
    if (resources == null) {
      return ResourceAmount.NONE;
    }
    ObjectNode wanted = Json.copyOf(Json.objectAt(resources, "limits"));
    ObjectNode requests = Json.objectAt(resources, "requests");
    if (requests != null) {
      wanted.setAll(requests);
    }
    wanted
        .properties()
        .forEach(entry -> {
          String name = entry.getKey();
          boolean counted = name.equals(CPU) || name.equals(MEMORY);
          if (!counted && !UNCOUNTED.contains(name) && amount(wanted, name).signum() > 0) {
            foreign.add(name);
          }
        });
    return amounts(wanted);
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
