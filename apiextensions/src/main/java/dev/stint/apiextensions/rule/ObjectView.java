package dev.stint.apiextensions.rule;

import dev.cel.common.types.CelType;
import dev.stint.apiextensions.rule.RuleType.Field;
import dev.stint.apiextensions.rule.RuleType.ObjectOf;
import dev.stint.apiextensions.rule.library.CostMeter;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An object, with the members that rules may see under the names that they use. */
final class ObjectView extends MapValue implements CostMeter.View {
  private final ObjectNode object;
  private final ObjectOf type;

  ObjectView(ObjectNode object, ObjectOf type) {
    this.object = object;
    this.type = type;
  }

  @Override
  public CelType celType() {
    return type.celType();
  }

  @Override
  @Nullable Object find(String name) {
    Field field = type.fields().get(name);
    JsonNode value = field == null ? null : object.get(field.member());
    return field == null || value == null ? null : RuleValues.of(value, field.type());
  }

  @Override
  boolean has(String name) {
    Field field = type.fields().get(name);
    return field != null && object.has(field.member());
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    Set<Map.Entry<String, Object>> entries = new LinkedHashSet<>();
    for (String name : type.primary()) {
      Object value = find(name);
      if (value != null) {
        entries.add(Map.entry(name, value));
      }
    }
    return entries;
  }
}
