package dev.stint.model.pod;

import dev.stint.model.Quantity;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;

/** Rules of a pod's own {@code resources}, which its containers share (KEP-2837, Validation). */
final class PodResourceRules {
  private static final Set<String> SUPPORTED = Set.of("cpu", "memory");

  private PodResourceRules() {}

  static void check(At spec, Faults faults) {
    At resources = spec.get("resources");
    if (!resources.exists()) {
      return;
    }
    if (!resources.get("claims").isEmpty()) {
      faults.forbidden(resources.get("claims"), "can be set for containers only");
    }
    for (String member : List.of("limits", "requests")) {
      for (At amount : resources.get(member).entries()) {
        if (!SUPPORTED.contains(amount.key()) && !amount.key().startsWith("hugepages-")) {
          faults.notSupported(amount.path(), amount.key(), SUPPORTED);
        }
      }
    }
    ResourceRules.check(resources, faults);
    for (At asked : resources.get("requests").entries()) {
      BigDecimal all = BigDecimal.ZERO;
      for (At container : spec.get("containers").items()) {
        all = all.add(amount(container.get("resources", "requests", asked.key())));
      }
      if (amount(asked).compareTo(all) < 0) {
        faults.invalid(asked, asked.text() + " must be at least what the containers ask for");
      }
    }
  }

  private static BigDecimal amount(At amount) {
    Quantity quantity = amount.exists() ? Quantity.parse(amount.text()) : null;
    return quantity == null ? BigDecimal.ZERO : quantity.value();
  }
}
