package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import dev.stint.model.field.Words;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules of lists of label keys whose values are taken from the pod itself. */
final class LabelKeyRules {
  private LabelKeyRules() {}

  /**
   * @param selector the selector that the keys add to
   */
  static void check(At keys, At selector, Faults faults) {
    if (keys.isEmpty()) {
      return;
    }
    if (!selector.exists()) {
      faults.forbidden(keys, "needs labelSelector");
      return;
    }
    Set<String> selected =
        Stream.concat(
                selector.get("matchLabels").entries().stream().map(At::key),
                selector.get("matchExpressions").items().stream().map(e -> e.get("key").text()))
            .collect(Collectors.toSet());
    for (At key : keys.items()) {
      faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
      if (selected.contains(key.text())) {
        faults.invalid(key, Words.quoted(key.text()) + " is in labelSelector already");
      }
    }
  }
}
