package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;

/** Rules of {@code managedBy} (KEP-4368, API). */
final class ManagedByRules {
  private static final int LONGEST = 63;

  private ManagedByRules() {}

  static void check(FieldPath managedBy, FieldErrors faults) {
    if (!managedBy.exists()) {
      return;
    }
    String name = managedBy.text();
    if (name.isEmpty()) {
      faults.required(managedBy, "must name a controller, such as example.com/foo, or be left out");
    } else {
      faults.invalidUnlessSound(managedBy, Formats.domainPrefixedPath(name));
    }
    if (name.length() > LONGEST) {
      faults.tooLong(
          managedBy.path(), "has " + name.length() + " characters; at most 63 are allowed");
    }
  }
}
