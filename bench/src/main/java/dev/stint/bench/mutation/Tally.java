package dev.stint.bench.mutation;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;

/** Counts answers by kind of mutation and class of status. */
public final class Tally {
  /** No answer came, or the connection was closed. */
  public static final int NONE = 0;

  private final Map<MutationKind, Map<Integer, LongAdder>> counts =
      new EnumMap<>(MutationKind.class);

  /**
   * Counts an answer.
   *
   * @param code {@link #NONE} if there was none
   */
  public synchronized void add(MutationKind kind, int code) {
    counts
        .computeIfAbsent(kind, _ -> new TreeMap<>())
        .computeIfAbsent(code, _ -> new LongAdder())
        .increment();
  }

  /** Returns the number of answers whose code is such. */
  public synchronized long count(IntPredicate codes) {
    return counts.values().stream().mapToLong(row -> count(row, codes)).sum();
  }

  /** Returns the share of answers whose code is such. */
  public double share(IntPredicate codes) {
    return (double) count(codes) / Math.max(1, count(_ -> true));
  }

  private static long count(Map<Integer, LongAdder> row, IntPredicate codes) {
    return row.entrySet().stream()
        .filter(each -> codes.test(each.getKey()))
        .mapToLong(each -> each.getValue().sum())
        .sum();
  }

  /** Returns a table in Markdown. */
  public synchronized String table() {
    StringBuilder text =
        new StringBuilder(
            """
            | changed | requests | 2xx | 4xx | 429 | 504 | other 5xx | closed without answer |
            | --- | --- | --- | --- | --- | --- | --- | --- |
            """);
    counts.forEach((kind, row) -> text.append(line(kind.toString(), row)));
    Map<Integer, LongAdder> sum = new TreeMap<>();
    counts
        .values()
        .forEach(row ->
            row.forEach((code, n) -> sum.computeIfAbsent(code, _ -> new LongAdder()).add(n.sum())));
    return text.append(line("all", sum)).toString();
  }

  private static String line(String name, Map<Integer, LongAdder> row) {
    return "| %s | %,d | %,d | %,d | %,d | %,d | %,d | %,d |\n"
        .formatted(
            name,
            count(row, _ -> true),
            count(row, code -> code >= 100 && code < 400),
            count(row, code -> code >= 400 && code < 500 && code != 429),
            count(row, code -> code == 429),
            count(row, code -> code == 504),
            count(row, code -> code >= 500 && code != 504),
            count(row, code -> code == NONE));
  }
}
