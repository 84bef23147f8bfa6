package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Merges a list in a strategic merge patch, whose items are identified by a key or by their value.
 *
 * <p>The items that the patch names follow the order of its {@code $setElementOrder}, or else of
 * the patch; the others keep their order, and stand before the named items that they preceded in
 * the old list. New items directly follow the item that precedes them in the patch.
 */
final class MergedList {
  /** The separator after the key of an item that repeats the key of an earlier one. */
  private static final char REPEATED = '\n';

  private MergedList() {}

  /**
   * Returns a merged list of values, each once.
   *
   * @param order the directive; empty for none
   */
  static ArrayNode ofValues(ArrayNode old, ArrayNode changes, ArrayNode order, String name) {
    Map<String, JsonNode> items = new LinkedHashMap<>();
    old.forEach(value -> items.putIfAbsent(value.toString(), value));
    Map<String, Integer> places = places(items);
    List<String> named = new ArrayList<>();
    changes.forEach(value -> {
      items.putIfAbsent(value.toString(), value);
      named.add(value.toString());
    });
    Set<String> ordered = new LinkedHashSet<>();
    order.forEach(value -> ordered.add(value.toString()));
    return inOrder(items, places, checked(named, ordered, name));
  }

  /**
   * Returns a merged list of objects.
   *
   * @param order the directive: objects with the key alone; empty for none
   * @param merge combines an old item and a change
   */
  static ArrayNode ofObjects(
      ArrayNode old,
      ArrayNode changes,
      ArrayNode order,
      String key,
      String name,
      BinaryOperator<ObjectNode> merge) {
    Map<String, JsonNode> items = keyed(old, key);
    Map<String, Integer> places = places(items);
    List<String> named = new ArrayList<>();
    delete(items, changes, key, name);
    for (JsonNode change : changes) {
      if (change instanceof ObjectNode changed && !StrategicMergePatch.deletes(change)) {
        String known = key(change, key, name);
        items.put(
            known,
            items.get(known) instanceof ObjectNode item ? merge.apply(item, changed) : changed);
        named.add(known);
      }
    }
    Set<String> ordered = new LinkedHashSet<>();
    order.forEach(item -> ordered.add(key(item, key, name)));
    return inOrder(items, places, checked(named, ordered, name));
  }

  /** Returns the items by key; those without a key, or with a repeated one, are kept apart. */
  private static Map<String, JsonNode> keyed(ArrayNode list, String key) {
    Map<String, JsonNode> items = new LinkedHashMap<>();
    list.forEach(item -> {
      JsonNode value = item.get(key);
      String known = value == null ? "" : value.toString();
      items.put(items.containsKey(known) ? known + REPEATED + items.size() : known, item);
    });
    return items;
  }

  private static void delete(
      Map<String, JsonNode> items, ArrayNode changes, String key, String name) {
    Set<String> gone = new HashSet<>();
    for (JsonNode change : changes) {
      String known = key(change, key, name);
      if (StrategicMergePatch.deletes(change)) {
        gone.add(known);
      }
    }
    if (!gone.isEmpty()) {
      items
          .keySet()
          .removeIf(item -> {
            int end = item.indexOf(REPEATED);
            return gone.contains(end < 0 ? item : item.substring(0, end));
          });
    }
  }

  private static String key(JsonNode item, String key, String name) {
    JsonNode value = DocumentValues.present(item.get(key));
    if (value == null || !item.isObject()) {
      throw StrategicMergePatch.refused("every item of " + name + " must have a " + key);
    }
    return value.toString();
  }

  private static Map<String, Integer> places(Map<String, JsonNode> items) {
    Map<String, Integer> places = new HashMap<>();
    items.keySet().forEach(item -> places.put(item, places.size()));
    return places;
  }

  /**
   * Returns the order that the patch asks for. A directive must name all of the patch's items in
   * the same relative order, each once.
   */
  private static Set<String> checked(List<String> named, Set<String> ordered, String name) {
    if (ordered.isEmpty()) {
      return new LinkedHashSet<>(named);
    }
    Iterator<String> places = ordered.iterator();
    for (String next : named) {
      boolean found = false;
      while (!found && places.hasNext()) {
        found = places.next().equals(next);
      }
      if (!found) {
        throw StrategicMergePatch.refused(
            "$setElementOrder/" + name + " must list all items that the patch has, in its order");
      }
    }
    return ordered;
  }

  /** Merges both orders: the patch's for the items that it names, the old one for all others. */
  private static ArrayNode inOrder(
      Map<String, JsonNode> items, Map<String, Integer> places, Set<String> wanted) {
    ArrayNode list = Json.array();
    var others = items.keySet().stream().filter(item -> !wanted.contains(item)).iterator();
    @Nullable String other = others.hasNext() ? others.next() : null;
    for (String next : wanted) {
      JsonNode item = items.get(next);
      if (item == null) {
        continue;
      }
      int place = places.getOrDefault(next, -1);
      while (other != null && places.getOrDefault(other, 0) < place) {
        list.add(items.get(other));
        other = others.hasNext() ? others.next() : null;
      }
      list.add(item);
    }
    while (other != null) {
      list.add(items.get(other));
      other = others.hasNext() ? others.next() : null;
    }
    return list;
  }
}
