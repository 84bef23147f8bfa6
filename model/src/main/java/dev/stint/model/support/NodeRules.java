package dev.stint.model.support;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of a Node's {@code spec}. */
public final class NodeRules {
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private NodeRules() {}

  /** Checks a new or changed specification. */
  public static void check(FieldPath spec, FieldErrors faults) {
    Set<String> seen = new HashSet<>();
    for (FieldPath taint : spec.get("taints").items()) {
      FieldPath key = taint.get("key");
      FieldPath effect = taint.get("effect");
      faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
      faults.invalidUnlessSound(taint.get("value"), Formats.labelValue(taint.get("value").text()));
      if (!EFFECTS.contains(effect.text())) {
        faults.notSupported(effect, EFFECTS);
      }
      if (!seen.add(key.text() + ":" + effect.text())) {
        faults.duplicate(taint, "taints must be unique by key and effect pair");
      }
    }
  }
}
