package dev.stint.model.support;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Objects and faults as tests of rules write them. */
final class RuleTexts {
  private RuleTexts() {}

  /** Reads an object whose texts stand in single quotes. */
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
