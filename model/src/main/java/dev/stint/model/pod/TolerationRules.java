package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;

/** Rules of {@code tolerations}. */
public final class TolerationRules {
  private static final List<String> OPERATORS = List.of("Equal", "Exists");
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private TolerationRules() {}

  /** Checks a list of tolerations. */
  public static void check(FieldPath tolerations, FieldErrors faults) {
    tolerations.items().forEach(toleration -> toleration(toleration, faults));
  }

  private static void toleration(FieldPath toleration, FieldErrors faults) {
    FieldPath key = toleration.get("key");
    FieldPath operator = toleration.get("operator");
    FieldPath effect = toleration.get("effect");
    if (!key.isEmpty()) {
      faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
    } else if (!operator.text().equals("Exists")) {
      faults.invalid(operator, "must be Exists when there is no key");
    }
    if (toleration.get("tolerationSeconds").exists() && !effect.text().equals("NoExecute")) {
      faults.invalid(effect, "must be NoExecute with tolerationSeconds");
    }
    value(operator, toleration.get("value").text(), faults);
    if (!effect.isEmpty()) {
      faults.notSupportedUnlessIn(effect, EFFECTS);
    }
  }

  private static void value(FieldPath operator, String value, FieldErrors faults) {
    switch (operator.text()) {
      case "", "Equal" -> faults.invalidUnlessSound(operator, Formats.labelValue(value));
      case "Exists" -> {
        if (!value.isEmpty()) {
          faults.invalid(operator, "value must be left out with operator Exists");
        }
      }
      default -> faults.notSupported(operator, OPERATORS);
    }
  }
}
