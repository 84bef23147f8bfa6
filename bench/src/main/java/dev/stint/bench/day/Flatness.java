package dev.stint.bench.day;

import java.util.Arrays;
import java.util.List;

/**
 * Whether a figure stays flat: its median of the last quarter of the time is at most a tenth and a
 * little above that of the second quarter. The first quarter is the start.
 *
 * @param before the median of the second quarter
 * @param after the median of the last quarter
 */
record Flatness(Figure figure, double before, double after, double highest) {
  private static final double MOST = 1.1;

  static Flatness of(Figure figure, List<Sample> samples) {
    int quarter = samples.size() / 4;
    if (quarter == 0) {
      throw new IllegalArgumentException("at least four samples are needed");
    }
    return new Flatness(
        figure,
        median(figure, samples.subList(quarter, 2 * quarter)),
        median(figure, samples.subList(samples.size() - quarter, samples.size())),
        samples.stream().mapToDouble(sample -> sample.get(figure)).max().orElseThrow());
  }

  static List<Flatness> all(List<Sample> samples) {
    return Arrays.stream(Figure.values()).map(figure -> of(figure, samples)).toList();
  }

  private static double median(Figure figure, List<Sample> samples) {
    double[] sorted = samples.stream().mapToDouble(sample -> sample.get(figure)).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  boolean isFlat() {
    return after <= before * MOST + figure.slack();
  }

  /** Returns a row of a table in Markdown. */
  String row() {
    return "| %s | %s | %s | %s | %s |"
        .formatted(
            figure.title(),
            figure.format(before),
            figure.format(after),
            figure.format(highest),
            !figure.isJudged() ? "" : isFlat() ? "flat" : "**grows**");
  }
}
