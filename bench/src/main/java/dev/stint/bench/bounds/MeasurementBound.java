package dev.stint.bench.bounds;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bound of one measured value.
 *
 * @param run the measurement's name
 * @param value the value's name in the output of the measurement, such as {@code
 *     finishToStatusMillis.p99}
 * @param per the divisor: {@code calibration} for the seconds of {@link Calibration} right before,
 *     a measurement's name for the same value of that measurement in the same round; null for none
 * @param median the median when the bound was set
 * @param margin the share by which it may be worse: 0.2 for a fifth
 * @param higherIsBetter true if the value must be at least the bound
 */
record MeasurementBound(
    String run,
    String value,
    @Nullable String per,
    double median,
    double margin,
    boolean higherIsBetter) {
  static final String CALIBRATION = "calibration";

  /** Reads one of {@code bounds} of the file; throws if an entry is invalid. */
  static MeasurementBound read(String run, Map<?, ?> yaml) {
    Object per = yaml.get("per");
    return new MeasurementBound(
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

  boolean isMet(double measured) {
    return higherIsBetter ? measured >= limit() : measured <= limit();
  }

  /** Returns a line that compares the measured value with the bound. */
  String line(double measured) {
    return String.format(
        Locale.ROOT,
        "%-5s %-16s %-36s %10.3f   %s %.3f",
        isMet(measured) ? "ok" : "WORSE",
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
