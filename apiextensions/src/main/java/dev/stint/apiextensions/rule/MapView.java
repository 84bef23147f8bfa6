package dev.stint.apiextensions.rule;

import dev.cel.common.types.CelType;
import dev.stint.apiextensions.rule.RuleType.MapOf;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A map from texts to values of one type. */
final class MapView extends MapValue {
  private final ObjectNode map;
  private final MapOf type;

  MapView(ObjectNode map, MapOf type) {
    this.map = map;
    this.type = type;
  }

  @Override
  public CelType celType() {
    return type.celType();
  }

  @Override
  @Nullable Object find(String key) {
    JsonNode value = map.get(key);
    return value == null ? null : CelValues.of(value, type.elements());
  }

  @Override
  boolean has(String key) {
    return map.has(key);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, Object>> iterator() {
        return map.properties().stream()
            .map(
                entry -> Map.entry(entry.getKey(), CelValues.of(entry.getValue(), type.elements())))
            .iterator();
      }

      @Override
      public int size() {
        return map.size();
      }
    };
  }
}
