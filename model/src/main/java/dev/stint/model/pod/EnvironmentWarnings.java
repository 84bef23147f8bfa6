package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Warnings about repeated variables, if the second does not refer to the first. */
final class EnvironmentWarnings {
  private EnvironmentWarnings() {}

  static List<String> of(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    for (FieldPath container : PodTemplateWarnings.containers(spec)) {
      Set<String> names = new HashSet<>();
      for (FieldPath variable : container.get("env").items()) {
        String name = variable.get("name").text();
        if (!names.add(name) && hides(variable, "$(" + name + ")")) {
          warnings.add(
              "%s: hides previous definition of %s, which may be dropped when using apply"
                  .formatted(variable, MessagePhrases.goQuoted(name)));
        }
      }
    }
    return warnings;
  }

  /** True unless the variable extends the earlier one of its name: a reference and more text. */
  private static boolean hides(FieldPath variable, String reference) {
    String value = variable.get("value").text();
    return variable.get("valueFrom").exists()
        || value.equals(reference)
        || !contains(value, reference);
  }

  /** True if the text contains the part. Takes linear time: both may have a million characters. */
  private static boolean contains(String text, String part) {
    int[] borders = borders(part);
    int matched = 0;
    for (int i = 0; i < text.length() && matched < part.length(); i++) {
      matched = extended(part, borders, matched, text.charAt(i));
    }
    return matched == part.length();
  }

  /**
   * Returns, for each prefix of a text, the length of its longest border (both beginning and end).
   */
  private static int[] borders(String text) {
    int[] borders = new int[text.length() + 1];
    for (int length = 2; length <= text.length(); length++) {
      borders[length] = extended(text, borders, borders[length - 1], text.charAt(length - 1));
    }
    return borders;
  }

  /** Returns the matched length after one more character. */
  private static int extended(String text, int[] borders, int matched, char next) {
    int known = matched;
    while (known > 0 && text.charAt(known) != next) {
      known = borders[known];
    }
    return text.charAt(known) == next ? known + 1 : 0;
  }
}
