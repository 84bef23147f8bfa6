package dev.stint.model.pod;

import dev.stint.model.Quantity;
import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.List;

/** Warnings about amounts of bytes such as {@code 100m}, which is a tenth of a byte. */
final class FractionalByteWarnings {
  private FractionalByteWarnings() {}

  static List<String> overhead(FieldPath spec) {
    return amounts(spec, "overhead", "memory", "ephemeral-storage");
  }

  static List<String> containers(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    for (FieldPath container : PodTemplateWarnings.containers(spec)) {
      FieldPath resources = container.get("resources");
      warnings.addAll(amounts(resources, "limits", "memory"));
      warnings.addAll(amounts(resources, "requests", "memory"));
      warnings.addAll(amounts(resources, "limits", "ephemeral-storage"));
      warnings.addAll(amounts(resources, "requests", "ephemeral-storage"));
    }
    return warnings;
  }

  /** Returns warnings about some of the amounts in one list of a holder. */
  static List<String> amounts(FieldPath holder, String list, String... resources) {
    List<String> warnings = new ArrayList<>();
    for (String resource : resources) {
      FieldPath amount = holder.get(list).entry(resource);
      Quantity quantity = Quantity.parse(text(amount));
      if (quantity != null && !quantity.isWhole()) {
        warnings.add(
            "%s: fractional byte value \"%s\" is invalid, must be an integer"
                .formatted(amount, quantity.canonical()));
      }
    }
    return warnings;
  }

  /** Returns an amount as text, since amounts may be numbers. */
  private static String text(FieldPath amount) {
    return amount.exists() ? amount.node().asString("") : "";
  }
}
