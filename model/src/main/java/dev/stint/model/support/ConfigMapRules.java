package dev.stint.model.support;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** Rules of a ConfigMap. */
public final class ConfigMapRules {
  private ConfigMapRules() {}

  /** Checks a new or changed config map, without the one before. */
  public static void check(FieldPath root, FieldErrors faults) {
    FieldPath data = root.get("data");
    FieldPath binary = root.get("binaryData");
    ConfigDataRules.keys(data, faults);
    ConfigDataRules.keys(binary, faults);
    for (FieldPath entry : data.entries()) {
      if (binary.entry(entry.key()).exists()) {
        faults.invalid(entry, "is also in binaryData; a key may be in only one of them");
      }
    }
    if (ConfigDataRules.textBytes(data) + ConfigDataRules.decodedBytes(binary)
        > ConfigDataRules.MOST_BYTES) {
      // Kubernetes spells the path of the whole object like this.
      faults.tooLong("[]", "may have at most " + ConfigDataRules.MOST_BYTES + " bytes in total");
    }
  }

  /** Checks the change from one config map to another. */
  public static void update(FieldPath before, FieldPath after, FieldErrors faults) {
    check(after, faults);
    ConfigDataRules.unchanged(before, after, List.of("data", "binaryData"), faults);
  }
}
