package dev.stint.bench.bounds;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one value of a measurement may come to.
 *
 * @param run the measurement's name
 * @param value the value's name in what the measurement prints, such as {@code
 *     finishToStatusMillis.p99}
 * @param per what it is divided by: {@code calibration} for the seconds of {@link Calibration}
 *     right before, a measurement's name for the same value of that one in the same round; null for
 *     nothing
 * @param median of what was measured when the bound was set
 * @param margin by which it may be worse, as a share: 0.2 for a fifth
 * @param higherIsBetter whether it is to be at least the bound
 */
record Bound(
    String run,
    String value,
    @Nullable String per,
    double median,
    double margin,
    boolean higherIsBetter) {
  static final String CALIBRATION = "calibration";

  /** Reads one of {@code bounds} of the file; throws if an entry is invalid. */
  static Bound read(String run, Map<?, ?> yaml) {
    Object per = yaml.get("per");
    return new Bound(
        run,
        String.valueOf(yaml.get("value")),
        per == null ? null : per.toString(),
        number(yaml, "median"),
        number(yaml, "margin"),
        "higher".equals(yaml.get("better")));
  }

  private static double number(Map<?, ?> yaml, String name) {
    if (yaml.get(name) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException(yaml + ": " + name + " must be a number");
  }

  double limit() {
    return higherIsBetter ? median * (1 - margin) : median * (1 + margin);
  }

  boolean holds(double measured) {
    return higherIsBetter ? measured >= limit() : measured <= limit();
  }

  /** One line on what was measured. */
  String line(double measured) {
    return String.format(
        Locale.ROOT,
        "%-5s %-16s %-36s %10.3f   %s %.3f",
        holds(measured) ? "ok" : "WORSE",
        run,
        value + (per == null ? "" : " / " + per),
        measured,
        higherIsBetter ? "at least" : "at most",
        limit());
  }

  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
