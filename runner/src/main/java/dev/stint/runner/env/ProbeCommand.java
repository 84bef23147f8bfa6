package dev.stint.runner.env;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Expands {@code $(VAR)} references in the command of a probe. As in a kubelet, they see the values
 * that {@code env} itself holds, as they are written there. A variable with {@code valueFrom} is
 * empty. Commands of hooks are not expanded.
 */
public final class ProbeCommand {
  private ProbeCommand() {}

  /** Returns a probe's command with all references expanded. */
  public static List<String> expanded(List<String> command, ObjectNode container)
      throws ExpansionLimitException {
    Map<String, String> values = values(container);
    Expansion expansion = new Expansion();
    List<String> words = new ArrayList<>();
    for (String word : command) {
      words.add(expansion.expand(word, values));
    }
    return words;
  }

  private static Map<String, String> values(ObjectNode container) {
    Map<String, String> values = new HashMap<>();
    ArrayNode variables = Json.arrayAt(container, "env");
    for (int i = 0; variables != null && i < variables.size(); i++) {
      JsonNode variable = variables.get(i);
      String value = Json.text(variable, "value");
      values.put(String.valueOf(Json.text(variable, "name")), value == null ? "" : value);
    }
    return values;
  }
}
