package dev.stint.apiextensions.rule.library;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.BYTES;
import static dev.cel.common.types.SimpleType.DOUBLE;
import static dev.cel.common.types.SimpleType.DURATION;
import static dev.cel.common.types.SimpleType.DYN;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;
import static dev.cel.common.types.SimpleType.TIMESTAMP;
import static dev.cel.common.types.SimpleType.UINT;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.TypeParamType;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Functions that make lists of lists, and of sets. */
public final class ListOperations {
  private static final CelType LIST = ListType.create(TypeParamType.create("T"));
  private static final List<CelType> COMPARABLE =
      List.of(INT, UINT, DOUBLE, BOOL, STRING, BYTES, DURATION, TIMESTAMP);

  private ListOperations() {}

  /**
   * Adds all.
   *
   * @param areEqual compares items
   */
  public static void addTo(Functions functions, BiPredicate<Object, Object> areEqual) {
    functions.method("slice", LIST, ListOperations::slice, LIST, INT, INT);
    functions.method("flatten", LIST, a -> flat((List<?>) a[0], 1), ListType.create(LIST));
    functions.method(
        "flatten",
        ListType.create(DYN),
        a -> flat((List<?>) a[0], (Long) a[1]),
        ListType.create(DYN),
        INT);
    functions.method("reverse", LIST, a -> reversed((List<?>) a[0]), LIST);
    functions.method("distinct", LIST, a -> distinct((List<?>) a[0], areEqual), LIST);
    functions.function("lists.range", ListType.create(INT), a -> range((Long) a[0]), INT);
    for (CelType type : COMPARABLE) {
      CelType list = ListType.create(type);
      functions.method("sort", list, a -> sorted((List<?>) a[0], (List<?>) a[0]), list);
      functions.method(
          "@sortByAssociatedKeys", LIST, a -> sorted((List<?>) a[0], (List<?>) a[1]), LIST, list);
    }
    functions.method(
        "unwrapOpt",
        LIST,
        a -> unwrapped((List<?>) a[0]),
        ListType.create(OptionalType.create(TypeParamType.create("T"))));
    sets(functions, areEqual);
  }

  private static List<?> unwrapped(List<?> optionals) {
    CostMeter.charge(optionals.size());
    return optionals.stream()
        .flatMap(item -> item instanceof Optional<?> optional ? optional.stream() : Stream.of(item))
        .toList();
  }

  private static void sets(Functions functions, BiPredicate<Object, Object> areEqual) {
    functions.function(
        "sets.contains",
        BOOL,
        a -> containsAll((List<?>) a[0], (List<?>) a[1], areEqual),
        LIST,
        LIST);
    functions.function(
        "sets.equivalent",
        BOOL,
        a ->
            containsAll((List<?>) a[0], (List<?>) a[1], areEqual)
                && containsAll((List<?>) a[1], (List<?>) a[0], areEqual),
        LIST,
        LIST);
    functions.function(
        "sets.intersects",
        BOOL,
        a -> ((List<?>) a[0]).stream().anyMatch(item -> contains((List<?>) a[1], item, areEqual)),
        LIST,
        LIST);
  }

  private static boolean containsAll(
      List<?> list, List<?> items, BiPredicate<Object, Object> areEqual) {
    return items.stream().allMatch(item -> contains(list, item, areEqual));
  }

  private static boolean contains(List<?> list, Object item, BiPredicate<Object, Object> areEqual) {
    return list.stream().anyMatch(each -> areEqual.test(each, item));
  }

  private static List<?> slice(Object[] arguments) {
    List<?> list = (List<?>) arguments[0];
    long start = (Long) arguments[1];
    long end = (Long) arguments[2];
    if (start < 0 || end < 0) {
      throw refused(start, end, "negative indexes not supported");
    }
    if (start > end) {
      throw refused(start, end, "start index must be less than or equal to end index");
    }
    if (end > list.size()) {
      throw refused(start, end, "list is length " + list.size());
    }
    CostMeter.charge(end - start);
    return List.copyOf(list.subList((int) start, (int) end));
  }

  private static IllegalArgumentException refused(long start, long end, String why) {
    return new IllegalArgumentException("cannot slice(" + start + ", " + end + "), " + why);
  }

  private static List<Object> flat(List<?> list, long depth) {
    if (depth < 0) {
      throw new IllegalArgumentException("level must be non-negative");
    }
    CostMeter.charge(list.size());
    List<Object> items = new ArrayList<>();
    for (Object item : list) {
      if (depth > 0 && item instanceof List<?> inner) {
        items.addAll(flat(inner, depth - 1));
      } else {
        items.add(item);
      }
    }
    return items;
  }

  private static List<?> reversed(List<?> list) {
    CostMeter.charge(list.size());
    return List.copyOf(list).reversed();
  }

  private static List<Object> distinct(List<?> list, BiPredicate<Object, Object> areEqual) {
    List<Object> found = new ArrayList<>();
    for (Object item : list) {
      if (!contains(found, item, areEqual)) {
        found.add(item);
      }
    }
    return found;
  }

  private static List<Long> range(long count) {
    CostMeter.chargeSteps(Math.max(count, 0));
    return LongStream.range(0, count).boxed().toList();
  }

  /** Returns a list in the order of the keys of its items. */
  private static List<?> sorted(List<?> list, List<?> keys) {
    if (list.size() != keys.size()) {
      throw new IllegalArgumentException("sortBy() needs a key for each item");
    }
    List<Object> known = new ArrayList<>(keys);
    Comparator<Integer> byKey =
        (one, other) -> ListLibrary.compare(known.get(one), known.get(other));
    List<Object> items = new ArrayList<>(list);
    return IntStream.range(0, items.size()).boxed().sorted(byKey).map(items::get).toList();
  }
}
