package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Words;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Warnings about variables that stand twice, where the second does not build on the first. */
final class EnvironmentWarnings {
  private EnvironmentWarnings() {}

  static List<String> of(At spec) {
    List<String> warnings = new ArrayList<>();
    for (At container : PodTemplateWarnings.containers(spec)) {
      Set<String> names = new HashSet<>();
      for (At variable : container.get("env").items()) {
        String name = variable.get("name").text();
        if (!names.add(name) && hides(variable, "$(" + name + ")")) {
          warnings.add(
              "%s: hides previous definition of %s, which may be dropped when using apply"
                  .formatted(variable, Words.goQuoted(name)));
        }
      }
    }
    return warnings;
  }

  /** True if a variable says nothing that its namesake before it goes into. */
  private static boolean hides(At variable, String reference) {
    String value = variable.get("value").text();
    return variable.get("valueFrom").exists()
        || value.equals(reference)
        || !value.contains(reference);
  }
}
