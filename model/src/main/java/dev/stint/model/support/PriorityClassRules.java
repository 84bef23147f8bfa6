package dev.stint.model.support;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Rules of a PriorityClass. */
public final class PriorityClassRules {
  private static final long HIGHEST = 1_000_000_000;
  private static final String RESERVED = "system-";
  private static final Map<String, Long> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);
  private static final List<String> POLICIES = List.of("PreemptLowerPriority", "Never");

  private PriorityClassRules() {}

  /** Sets the defaults. */
  public static void complete(ObjectNode priorityClass) {
    if (!FieldPath.root(priorityClass).get("preemptionPolicy").exists()) {
      priorityClass.put("preemptionPolicy", POLICIES.getFirst());
    }
  }

  /** Checks a new class with its defaults from {@link #complete}. */
  public static void create(FieldPath root, FieldErrors faults) {
    FieldPath name = root.get("metadata", "name");
    FieldPath value = root.get("value");
    if (name.text().startsWith(RESERVED)) {
      Long known = SYSTEM.get(name.text());
      if (known == null || known != value.count()) {
        faults.forbidden(
            name, "priority class names with 'system-' prefix are reserved for system use only");
      }
    } else if (value.count() > HIGHEST) {
      faults.forbidden(value, "maximum allowed value of a user defined priority is " + HIGHEST);
    }
    FieldPath policy = root.get("preemptionPolicy");
    if (policy.isEmpty()) {
      faults.required(policy, "");
    } else {
      faults.notSupportedUnlessIn(policy, POLICIES);
    }
  }

  /** Checks a changed class. */
  public static void update(FieldPath before, FieldPath after, FieldErrors faults) {
    if (before.get("value").count() != after.get("value").count()) {
      faults.forbidden(after.get("value"), "may not be changed in an update");
    }
    if (!before.get("preemptionPolicy").sameAs(after.get("preemptionPolicy"))) {
      faults.invalid(after.get("preemptionPolicy"), "field is immutable");
    }
  }
}
