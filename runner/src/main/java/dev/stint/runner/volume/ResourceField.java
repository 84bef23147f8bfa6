package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The amounts of a container's resources that a pod may read of itself ("Downward API"). */
final class ResourceField {
  private ResourceField() {}

  /**
   * The amount in units of the divisor, rounded up.
   *
   * @param reference {@code resourceFieldRef}
   */
  static String value(ObjectNode container, ObjectNode reference, Capacity machine) {
    String name = orEmpty(Json.text(reference, "resource"));
    int dot = name.indexOf('.');
    String family = dot < 0 ? "limits" : name.substring(0, dot);
    String resource = name.substring(dot + 1);
    Quantity given = amount(Json.objectAt(Json.objectAt(container, "resources"), family), resource);
    BigDecimal amount =
        given != null
            ? given.value()
            : family.equals("limits") ? whole(machine, resource) : BigDecimal.ZERO;
    Quantity divisor = amount(reference, "divisor");
    BigDecimal unit =
        divisor == null || divisor.value().signum() == 0 ? BigDecimal.ONE : divisor.value();
    return amount.divide(unit, 0, RoundingMode.CEILING).toBigInteger().toString();
  }

  private static BigDecimal whole(Capacity machine, String resource) {
    return switch (resource) {
      case "cpu" -> BigDecimal.valueOf(machine.cpus());
      case "memory" -> BigDecimal.valueOf(machine.memory());
      case "ephemeral-storage" -> BigDecimal.valueOf(machine.storage());
      default -> BigDecimal.ZERO;
    };
  }

  private static @Nullable Quantity amount(@Nullable ObjectNode parent, String member) {
    JsonNode found = parent == null ? null : parent.get(member);
    return found == null || found.isNull() ? null : Quantity.parse(found.asString());
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
