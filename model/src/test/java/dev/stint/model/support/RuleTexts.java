package dev.stint.model.support;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Objects and faults in the notation of the tests of rules. */
final class RuleTexts {
  private RuleTexts() {}

  /** Reads an object whose texts are in single quotes. */
  static ObjectNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  /** Returns the paths and types of faults, sorted; "" for none. */
  static String words(FieldErrors faults) {
    return faults.list().stream()
        .map(fault -> fault.path() + " " + fault.type())
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
