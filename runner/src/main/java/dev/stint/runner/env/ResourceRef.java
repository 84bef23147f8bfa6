package dev.stint.runner.env;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Quantity;
import dev.stint.runner.spec.ResourceAmount;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the resource amounts that a variable or a file can take its value from ("Downward API").
 */
public final class ResourceRef {
  private static final Set<String> KNOWN =
      Set.of("limits.cpu", "limits.memory", "requests.cpu", "requests.memory");

  private ResourceRef() {}

  /** True if a {@code resourceFieldRef} names an amount that {@link #value} knows. */
  public static boolean isKnown(ObjectNode resourceFieldRef) {
    String resource = Json.text(resourceFieldRef, "resource");
    return resource != null && KNOWN.contains(resource);
  }

  /**
   * Returns the amount, in units of the divisor, rounded up. A missing limit counts as the
   * machine's amount, a missing request as 0.
   *
   * @param own the container that declares the reference, if any; used if the reference names none
   */
  public static String value(
      KubeObject pod, @Nullable JsonNode own, ObjectNode resourceFieldRef, ResourceAmount machine) {
    String[] names = orEmpty(Json.text(resourceFieldRef, "resource")).split("\\.", 2);
    String named = orEmpty(Json.text(resourceFieldRef, "containerName"));
    JsonNode container = named.isEmpty() ? own : container(pod, named);
    BigDecimal amount = names.length < 2 ? null : amount(container, names[0], names[1]);
    if (amount == null || (amount.signum() == 0 && names[0].equals("limits"))) {
      amount = names[0].equals("limits") ? all(machine, names[1]) : BigDecimal.ZERO;
    }
    return amount.divide(divisor(resourceFieldRef), 0, RoundingMode.CEILING).toPlainString();
  }

  private static @Nullable BigDecimal amount(
      @Nullable JsonNode container, String kind, String name) {
    ObjectNode amounts = Json.objectAt(Json.objectAt(container, "resources"), kind);
    JsonNode found = amounts == null ? null : amounts.get(name);
    Quantity quantity = found == null ? null : Quantity.parse(found.asString(""));
    return quantity == null ? null : quantity.value();
  }

  private static BigDecimal all(ResourceAmount machine, String name) {
    return name.equals("cpu")
        ? BigDecimal.valueOf(machine.milliCpu(), 3)
        : BigDecimal.valueOf(machine.memoryBytes());
  }

  private static BigDecimal divisor(ObjectNode resourceFieldRef) {
    JsonNode given = resourceFieldRef.get("divisor");
    Quantity divisor = given == null ? null : Quantity.parse(given.asString(""));
    return divisor == null || divisor.value().signum() <= 0 ? BigDecimal.ONE : divisor.value();
  }

  private static @Nullable JsonNode container(KubeObject pod, String name) {
    for (String list : List.of("containers", "initContainers")) {
      ArrayNode containers = Json.arrayAt(pod.spec(), list);
      if (containers != null) {
        for (JsonNode container : containers) {
          if (name.equals(Json.text(container, "name"))) {
            return container;
          }
        }
      }
    }
    return null;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
