package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Trail;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Lists that are sets or maps hold nothing twice. */
public final class ListTypeRules {
  private final Findings findings = new Findings(new Trail());

  private ListTypeRules() {}

  /** Returns the duplicates of a new object. */
  public static List<FieldError> create(JsonNode object, JsonSchema schema) {
    ListTypeRules rules = new ListTypeRules();
    rules.walk(object, schema);
    return List.copyOf(rules.findings.list());
  }

  /** Returns the duplicates of a changed object; none if it had some before. */
  public static List<FieldError> update(JsonNode before, JsonNode after, JsonSchema schema) {
    List<FieldError> found = create(after, schema);
    return found.isEmpty() || create(before, schema).isEmpty() ? found : List.of();
  }

  private void walk(JsonNode value, JsonSchema schema) {
    if (value instanceof ObjectNode object) {
      members(object, schema);
    } else if (value.isArray()) {
      unique(value, schema);
      items(value, schema);
    }
  }

  private void members(ObjectNode object, JsonSchema schema) {
    if (schema.properties().isEmpty() && schema.additionalSchema() == null) {
      return;
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      JsonSchema known = schema.member(member.getKey());
      if (known != null && member.getValue().isContainer()) {
        enter(member.getKey(), schema);
        walk(member.getValue(), known);
        findings.trail().leave();
      }
    }
  }

  private void enter(String name, JsonSchema schema) {
    if (schema.properties().containsKey(name)) {
      findings.trail().enter(name);
    } else {
      findings.trail().enterKey(name);
    }
  }

  private void items(JsonNode list, JsonSchema schema) {
    if (schema.items() != null) {
      for (int i = 0; i < list.size(); i++) {
        findings.trail().enterIndex(i);
        walk(list.get(i), schema.items());
        findings.trail().leave();
      }
    }
  }

  private void unique(JsonNode list, JsonSchema schema) {
    List<String> keys = schema.extensions().listMapKeys();
    switch (schema.extensions().listType()) {
      case "set" -> reportDuplicates(list, null);
      case "map" -> reportDuplicates(list, keys);
      default -> {}
    }
  }

  /**
   * Reports each value that is there again, once.
   *
   * @param keys null if items are compared whole
   */
  private void reportDuplicates(JsonNode list, @Nullable List<String> keys) {
    Map<String, Boolean> reported = HashMap.newHashMap(list.size());
    for (int i = 0; i < list.size(); i++) {
      JsonNode item = list.get(i);
      String identity = keys == null ? ValueIdentity.of(item) : ValueIdentity.of(item, keys);
      Boolean before = reported.putIfAbsent(identity, false);
      if (Boolean.FALSE.equals(before)) {
        reported.put(identity, true);
        findings.trail().enterIndex(i);
        findings.duplicate(keys == null ? item : shown(item, keys));
        findings.trail().leave();
      }
    }
  }

  private static JsonNode shown(JsonNode item, List<String> keys) {
    ObjectNode shown = Json.object();
    for (String key : keys) {
      if (item.has(key)) {
        shown.set(key, item.get(key));
      }
    }
    return shown;
  }
}
