package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds the earlier form of a list's items. Only items with keys have one: others may have moved.
 */
public final class Correlation {
  private static final Correlation NONE = new Correlation(List.of(), Map.of());

  private final List<String> keys;
  private final Map<String, JsonNode> before;

  private Correlation(List<String> keys, Map<String, JsonNode> before) {
    this.keys = keys;
    this.before = before;
  }

  /**
   * Returns what was in a list.
   *
   * @param schema of the list
   * @param before the earlier list; null for none
   */
  public static Correlation of(JsonSchema schema, @Nullable JsonNode before) {
    if (before == null || !before.isArray() || !schema.extensions().listType().equals("map")) {
      return NONE;
    }
    List<String> keys = schema.extensions().listMapKeys();
    Map<String, JsonNode> items = HashMap.newHashMap(before.size());
    before.forEach(item -> items.putIfAbsent(ValueIdentity.of(item, keys), item));
    return new Correlation(keys, items);
  }

  /** Returns the earlier form of an item; null if there is none. */
  public @Nullable JsonNode of(JsonNode item) {
    return before.isEmpty() ? null : before.get(ValueIdentity.of(item, keys));
  }
}
