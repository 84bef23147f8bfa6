package dev.stint.apiextensions.rule;

import dev.cel.runtime.RuntimeHelpers;
import dev.stint.apiextensions.rule.RuleType.ListOf;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds lists: a set gets what it lacks, and items of a map replace those with the same keys. */
final class ListUnion {
  private ListUnion() {}

  @SuppressWarnings("unchecked") // Lists of CEL hold anything.
  static List<Object> of(List<?> one, List<?> other) {
    // The library copies the sum with each step of a loop.
    CostMeter.charge((one.size() + other.size()) / 3);
    if (!(one instanceof CelList view) || view.isOrdered()) {
      return RuntimeHelpers.concat((List<Object>) one, (List<Object>) other);
    }
    List<Object> union = new ArrayList<>(one.size() + other.size());
    Map<String, Integer> places = new HashMap<>();
    put(one, view.type(), union, places);
    put(other, view.type(), union, places);
    return union;
  }

  private static void put(
      List<?> items, ListOf type, List<Object> union, Map<String, Integer> places) {
    for (Object item : items) {
      Integer place = places.putIfAbsent(key(item, type), union.size());
      if (place == null) {
        union.add(item);
      } else if (type.order() == RuleType.Order.MAP) {
        union.set(place, item);
      }
    }
  }

  private static String key(Object item, ListOf type) {
    if (type.order() == RuleType.Order.SET || !(item instanceof Map<?, ?> map)) {
      return RuleEquality.identity(item);
    }
    StringBuilder values = new StringBuilder();
    for (String key : type.listMapKeys()) {
      Object value = map.get(FieldNames.escaped(key));
      values.append(value == null ? "-" : RuleEquality.identity(value));
    }
    return values.toString();
  }
}
