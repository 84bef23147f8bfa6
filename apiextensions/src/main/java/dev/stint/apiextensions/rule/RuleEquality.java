package dev.stint.apiextensions.rule;

import dev.cel.common.values.CelByteString;
import dev.cel.runtime.RuntimeEquality;
import dev.stint.apiextensions.rule.cost.CostMeter;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import dev.stint.apiextensions.value.ValueIdentity;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Compares values as CEL does, but lists that are sets or maps without order. */
final class RuleEquality {
  private final RuntimeEquality standard;

  RuleEquality(RuntimeEquality standard) {
    this.standard = standard;
  }

  /** True if two values are equal. */
  public boolean areEqual(Object one, Object other) {
    CostMeter.charge(1);
    if (one instanceof List<?> a && other instanceof List<?> b) {
      return a.size() == b.size()
          && (isOrdered(a) && isOrdered(b) ? inOrder(a, b) : unordered(a, b));
    }
    if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
      return a.size() == b.size() && sameEntries(a, b);
    }
    if (one instanceof JsonNode || one instanceof LibraryValue) {
      return one.equals(other);
    }
    if (one instanceof Optional<?> a && other instanceof Optional<?> b) {
      return a.isPresent() == b.isPresent() && (a.isEmpty() || areEqual(a.get(), b.get()));
    }
    if (one instanceof String text && other instanceof String) {
      CostMeter.chargeText(text.length());
    }
    return standard.objectEquals(one, other);
  }

  /** True if a list has an item. */
  public boolean isIn(Object item, List<?> list) {
    for (Object each : list) {
      if (areEqual(each, item)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOrdered(List<?> list) {
    return !(list instanceof CelList view) || view.isOrdered();
  }

  private boolean inOrder(List<?> one, List<?> other) {
    for (int i = 0; i < one.size(); i++) {
      if (!areEqual(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean sameEntries(Map<?, ?> one, Map<?, ?> other) {
    for (Map.Entry<?, ?> entry : one.entrySet()) {
      Optional<?> found =
          other instanceof StructView object
              ? Optional.ofNullable(object.compared(entry.getKey()))
              : standard.findInMap(other, entry.getKey());
      if (found.isEmpty() || !areEqual(entry.getValue(), found.get())) {
        return false;
      }
    }
    return true;
  }

  /** Compares by hashes, as comparing each item with each other one may take long. */
  private static boolean unordered(List<?> one, List<?> other) {
    return setOf(one).equals(setOf(other));
  }

  private static Set<String> setOf(List<?> list) {
    Set<String> set = HashSet.newHashSet(list.size());
    list.forEach(item -> set.add(identity(item)));
    return set;
  }

  /**
   * Returns a text that equals another value's only if the values are equal. A hash table sorts
   * texts with equal hashes, but would compare lists and maps with all others.
   */
  static String identity(Object value) {
    CostMeter.charge(1);
    return switch (value) {
      case String text -> ValueIdentity.ofText(text);
      case List<?> list when !isOrdered(list) -> all("(", new TreeSet<>(setOf(list)).stream(), ")");
      case List<?> list -> all("[", list.stream().map(RuleEquality::identity), "]");
      case Map<?, ?> map ->
          all(
              "{",
              map.entrySet().stream()
                  .map(entry -> identity(entry.getKey()) + identity(entry.getValue()))
                  .sorted(),
              "}");
      case Double number when number == Math.rint(number) && Math.abs(number) < 1L << 53 ->
          other(number.longValue());
      case CelByteString bytes ->
          'b' + ValueIdentity.ofText(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case JsonNode json -> 'j' + ValueIdentity.of(json);
      default -> other(value);
    };
  }

  private static String all(String open, Stream<String> identities, String close) {
    return identities.collect(Collectors.joining("", open, close));
  }

  private static String other(Object value) {
    return value.getClass().getName() + ValueIdentity.ofText(value.toString());
  }
}
