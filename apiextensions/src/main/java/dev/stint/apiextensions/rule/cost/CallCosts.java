package dev.stint.apiextensions.rule.cost;

import dev.stint.apiextensions.rule.cost.CallCost.Counted;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The costs of calls, as Kubernetes counts them. A unit is one step; ten characters of a text cost
 * one step, and four characters of a regular expression multiply the steps of its text by one more.
 */
final class CallCosts {
  private static final double TEXT = 0.1;
  private static final double PATTERN = 0.25;
  private static final long LIST = 10;

  /** The longest of the patterns behind the named formats, and of their names. */
  private static final double LONGEST_FORMAT_PATTERN = 128;

  private static final long LONGEST_FORMAT = 64;
  private static final Size ADDRESS = new Size(4, 16);

  private static final Map<String, CallCost> BY_FUNCTION = new HashMap<>();
  private static final Map<String, CallCost> BY_FORM = new HashMap<>();

  static {
    functions(CallCosts::traversal, "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf");
    functions(kept(TEXT), "url", "lowerAscii", "upperAscii", "substring", "trim");
    functions(text(0, TEXT), "cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity");
    functions(text(0, TEXT), "semver", "isSemver", "format");
    functions(text(0, 2 * TEXT), "ip.isCanonical");
    functions(CallCosts::replace, "replace");
    functions(CallCosts::split, "split");
    functions(CallCosts::join, "join");
    functions(CallCosts::find, "find", "findAll");
    functions(CallCosts::containsAddress, "containsIP");
    functions(CallCosts::containsNet, "containsCIDR");
    functions(CallCosts::validate, "validate");
    functions(product(1), "sets.contains", "sets.intersects");
    functions(product(2), "sets.equivalent");
    functions(CallCosts::slice, "slice");
    functions(CallCosts::flatten, "flatten");
    functions(CallCosts::range, "lists.range");
    functions(operands -> list(1, operands, operands.size(0)), "reverse");
    functions(operands -> compared(operands, 0, !operands.areEstimates()), "distinct");
    functions(operands -> compared(operands, 0, true), "sort");
    functions(operands -> compared(operands, 1, true), "@sortByAssociatedKeys");
    functions(CallCosts::quote, "strings.quote");
    functions(CallCosts::prefix, "startsWith", "endsWith");

    forms(operands -> new Counted(1, null), "kubernetes_net.CIDR_ip_net.CIDR");
    forms(CallCosts::bytes, "string_to_bytes");
    forms(CallCosts::characters, "bytes_to_string");
    forms(text(1, 1), "in_list");
    forms(operands -> new Counted(pattern(operands), null), "matches_string");
    forms(CallCosts::contains, "contains_string");
    forms(CallCosts::joined, "add_string", "add_bytes");
    forms(operands -> new Counted(1, operands.size(0).plus(operands.size(1))), "add_list");
    forms(CallCosts::comparison, "equals", "not_equals");
    for (String order : List.of("less", "less_equals", "greater", "greater_equals")) {
      forms(CallCosts::comparison, order + "_string", order + "_bytes");
    }
  }

  private CallCosts() {}

  /** Returns how the calls of a form of a function are counted. */
  static CallCost of(String function, String form) {
    CallCost byForm = BY_FORM.get(form);
    return byForm != null ? byForm : BY_FUNCTION.getOrDefault(function, CallCost.ONE);
  }

  private static void functions(CallCost cost, String... names) {
    for (String name : names) {
      BY_FUNCTION.put(name, cost);
    }
  }

  private static void forms(CallCost cost, String... ids) {
    for (String id : ids) {
      BY_FORM.put(id, cost);
    }
  }

  /** Counts a walk through one operand. */
  private static CallCost text(int index, double perUnit) {
    return operands -> new Counted(operands.size(index).cost(perUnit), null);
  }

  /** Counts a walk through a value that is about as large afterwards. */
  private static CallCost kept(double perUnit) {
    return operands -> new Counted(operands.size(0).cost(perUnit), operands.size(0));
  }

  private static CallCost product(double factor) {
    return operands -> {
      Size pairs = operands.size(0).times(operands.size(1));
      return new Counted(SaturatingMath.plus(pairs.cost(factor), 1), null);
    };
  }

  private static Counted traversal(Operands operands) {
    return new Counted(operands.traversal(0), null);
  }

  private static long pattern(Operands operands) {
    long steps = operands.size(0).plus(Size.ONE).cost(TEXT);
    return SaturatingMath.times(steps, operands.size(1).cost(PATTERN));
  }

  private static Counted find(Operands operands) {
    return new Counted(pattern(operands), Size.atMost(operands.size(0).max()));
  }

  private static Counted contains(Operands operands) {
    return new Counted(
        SaturatingMath.times(operands.size(0).cost(TEXT), operands.size(1).cost(TEXT)), null);
  }

  private static Counted prefix(Operands operands) {
    return new Counted(operands.size(operands.areEstimates() ? 1 : 0).cost(TEXT), null);
  }

  private static Counted joined(Operands operands) {
    Size sum = operands.size(0).plus(operands.size(1));
    return new Counted(sum.cost(TEXT), sum);
  }

  private static Counted quote(Operands operands) {
    Size text = operands.size(0);
    long most = SaturatingMath.plus(SaturatingMath.times(text.max(), 2), 2);
    return new Counted(text.cost(TEXT), new Size(SaturatingMath.plus(text.min(), 2), most));
  }

  private static Counted bytes(Operands operands) {
    Size text = operands.size(0);
    return new Counted(text.cost(TEXT), new Size(text.min(), SaturatingMath.times(text.max(), 4)));
  }

  private static Counted characters(Operands operands) {
    Size bytes = operands.size(0);
    return new Counted(bytes.cost(TEXT), new Size(bytes.min() / 4, bytes.max()));
  }

  private static Counted split(Operands operands) {
    Size text = operands.size(0);
    long limit = operands.count() > 2 ? operands.number(2, text.max()) : text.max();
    return new Counted(text.cost(2 * TEXT), Size.atMost(limit < 0 ? Size.UNKNOWN.max() : limit));
  }

  private static Counted join(Operands operands) {
    Size made = operands.result();
    if (made != null) {
      return new Counted(made.cost(2 * TEXT), null);
    }
    Size list = operands.size(0);
    Size joined = list.times(operands.itemSize(0));
    if (operands.count() > 1) {
      Size gaps = new Size(Math.max(list.min() - 1, 0), Math.max(list.max() - 1, 0));
      joined = joined.plus(operands.size(1).times(gaps));
    }
    return new Counted(joined.cost(TEXT), joined);
  }

  private static Counted replace(Operands operands) {
    Size text = operands.size(0);
    Size part = operands.size(1);
    Size other = operands.size(2);
    Size longest = replaced(text.max(), part.min(), other.max(), other.max() <= part.min());
    Size shortest = replaced(text.min(), part.max(), other.min(), part.max() <= other.min());
    return new Counted(text.cost(2 * TEXT), new Size(shortest.min(), longest.max()));
  }

  /** Returns how long a text is in which a part stands as often as it can. */
  private static Size replaced(long text, long part, long other, boolean isNoGain) {
    if (part == 0) {
      long around = SaturatingMath.times(SaturatingMath.plus(text, 1), other);
      return Size.exactly(SaturatingMath.plus(text, around));
    }
    long times = (long) Math.ceil((double) text / part);
    return Size.exactly(isNoGain ? text : SaturatingMath.times(times, other));
  }

  private static Counted containsAddress(Operands operands) {
    Size address = address(operands);
    return new Counted(withText(address.plus(address).cost(TEXT), operands), null);
  }

  private static Counted containsNet(Operands operands) {
    Size address = address(operands);
    long compared = address.plus(address).cost(TEXT) + address.cost(TEXT) + 1;
    return new Counted(withText(compared, operands), null);
  }

  private static Size address(Operands operands) {
    return operands.areEstimates() ? ADDRESS : operands.size(0);
  }

  /** Adds what it costs to read the argument, if it is a text. */
  private static long withText(long cost, Operands operands) {
    return operands.isText(1) ? SaturatingMath.plus(cost, operands.size(1).cost(TEXT)) : cost;
  }

  private static Counted validate(Operands operands) {
    if (operands.areEstimates()) {
      long steps = operands.size(1).cost(TEXT);
      return new Counted(SaturatingMath.scaled(steps, LONGEST_FORMAT_PATTERN * PATTERN), null);
    }
    long steps = operands.size(1).plus(Size.ONE).cost(TEXT);
    return new Counted(SaturatingMath.times(steps, operands.size(0).cost(PATTERN)), null);
  }

  private static Counted comparison(Operands operands) {
    String library = operands.libraryType(0);
    if (library != null && library.equals(operands.libraryType(1))) {
      return new Counted(libraryComparison(library, operands), null);
    }
    long smaller = Math.min(operands.size(0).max(), operands.size(1).max());
    return new Counted(Size.atMost(smaller).cost(TEXT), null);
  }

  private static long libraryComparison(String type, Operands operands) {
    if (!operands.areEstimates()) {
      return 1;
    }
    return switch (type) {
      case "kubernetes.NamedFormat" -> Size.atMost(LONGEST_FORMAT).cost(TEXT);
      case "kubernetes.URL" -> operands.size(1).cost(TEXT);
      default -> 1;
    };
  }

  private static Counted slice(Operands operands) {
    Size made = operands.result();
    if (made != null) {
      return list(1, operands, made);
    }
    long end = operands.number(2, operands.size(0).max());
    return list(1, operands, Size.exactly(Math.max(end - operands.number(1, 0), 0)));
  }

  private static Counted range(Operands operands) {
    Size made = operands.result();
    long count = Math.max(operands.number(0, Size.UNKNOWN.max()), 0);
    return list(1, operands, made == null ? Size.exactly(count) : made);
  }

  private static Counted flatten(Operands operands) {
    long depth = operands.count() > 1 ? Math.max(operands.number(1, Size.UNKNOWN.max()), 0) : 1;
    return list((double) depth, operands, operands.size(0));
  }

  /** Counts a comparison of each item of a list with each other one. */
  private static Counted compared(Operands operands, int index, boolean looksAtTexts) {
    Size size = operands.size(index);
    double perPair = looksAtTexts && operands.hasTexts(index) ? 2 + TEXT : 2;
    return list(perPair, operands, size.times(size));
  }

  private static Counted list(double perItem, Operands operands, @Nullable Size size) {
    Size items = size == null ? Size.UNKNOWN : size;
    long steps = operands.areEstimates() ? items.cost(perItem) : (long) (items.max() * perItem);
    return new Counted(SaturatingMath.plus(steps, LIST + 1), items);
  }
}
