package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Documents with single quotes, and what the rules say of them. */
final class KeptTexts {
  private KeptTexts() {}

  static ObjectNode tree(String text) {
    ObjectNode tree = Json.parse(text.replace('\'', '"'));
    tree.withObjectProperty("metadata").put("uid", "6f5b0d5c-0000-4000-8000-000000000001");
    return tree;
  }

  /** Returns a new object with its defaults. */
  static ObjectNode completed(KeptRules rules, String text) {
    ObjectNode tree = tree(text);
    rules.complete(tree, null);
    return tree;
  }

  /** Returns the faults of a new object, such as {@code spec.type REQUIRED}. */
  static List<String> faults(KeptRules rules, String text) {
    FieldErrors faults = new FieldErrors();
    rules.check(FieldPath.root(completed(rules, text)), faults);
    return told(faults);
  }

  /** Returns the faults of a changed object. */
  static List<String> faultsOfChange(KeptRules rules, String before, String after) {
    FieldErrors faults = new FieldErrors();
    ObjectNode old = completed(rules, before);
    ObjectNode changed = tree(after);
    rules.complete(changed, old);
    rules.check(FieldPath.root(changed), faults);
    rules.checkChange(FieldPath.root(old), FieldPath.root(changed), faults);
    return told(faults);
  }

  /** Returns the faults of a status that is written. */
  static List<String> faultsOfStatus(KeptRules rules, String text) {
    FieldErrors faults = new FieldErrors();
    ObjectNode tree = tree(text);
    rules.completeStatus(tree);
    rules.checkStatus(FieldPath.root(tree), faults);
    return told(faults);
  }

  private static List<String> told(FieldErrors faults) {
    return faults.list().stream().map(KeptTexts::told).toList();
  }

  private static String told(FieldError fault) {
    return fault.path() + " " + fault.type();
  }

  static List<String> listed(@Nullable String expected) {
    return expected == null ? List.of() : List.of(expected.split(", "));
  }
}
