package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Warnings about entries that a merge by key would lose: host aliases and pull secrets. */
final class RepeatedEntryWarnings {
  private RepeatedEntryWarnings() {}

  static List<String> of(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    repeated(spec.get("hostAliases"), "ip", warnings);
    repeated(spec.get("imagePullSecrets"), "name", warnings);
    for (FieldPath secret : spec.get("imagePullSecrets").items()) {
      if (secret.get("name").isEmpty()) {
        warnings.add(secret.get("name") + ": invalid empty name \"\"");
      }
    }
    return warnings;
  }

  private static void repeated(FieldPath list, String key, List<String> warnings) {
    Set<String> seen = new HashSet<>();
    for (FieldPath entry : list.items()) {
      FieldPath value = entry.get(key);
      if (!seen.add(value.text())) {
        warnings.add(
            "%s: duplicate %s %s".formatted(value, key, MessagePhrases.goQuoted(value.text())));
      }
    }
  }
}
