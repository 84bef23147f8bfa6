package dev.stint.model.limit;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Objects of tests, as JSON with single quotes. */
final class LimitTexts {
  private LimitTexts() {}

  static ObjectNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  /** Returns a limit range of one item. */
  static ObjectNode range(String item) {
    return json("{'spec':{'limits':[" + item + "]}}");
  }

  /** Returns the paths and types of faults, sorted; "" for none. */
  static String words(FieldErrors faults) {
    return faults.list().stream()
        .map(fault -> fault.path() + " " + fault.type())
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
