package dev.stint.cli.simulate.picture;

import java.util.List;
import java.util.stream.LongStream;

/**
 * A scale of times in round steps.
 *
 * @param lowest the beginning of the first bin, in milliseconds; a multiple of the step
 * @param step the width of a bin
 * @param bins the number of bins
 */
record TimeScale(long lowest, long step, int bins) {
  private static final int MOST_BINS = 40;
  private static final int LEAST_BINS = 12;
  private static final int MOST_TICKS = 8;
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** The widths that people count in. */
  private static final List<Long> STEPS =
      LongStream.concat(
              LongStream.concat(
                  LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500),
                  LongStream.of(1, 2, 5, 10, 15, 30).map(n -> n * SECOND)),
              LongStream.concat(
                  LongStream.of(1, 2, 5, 10, 15, 30).map(n -> n * MINUTE),
                  LongStream.concat(
                      LongStream.of(1, 2, 3, 6, 12).map(n -> n * HOUR),
                      LongStream.of(1, 2, 5, 10, 20, 50, 100).map(n -> n * DAY))))
          .boxed()
          .toList();

  /**
   * Returns the scale for times between two others.
   *
   * @param least the least bin, in milliseconds: times below are not known any better
   */
  static TimeScale of(long from, long to, long least) {
    long step = step(to - from, MOST_BINS, least);
    long first = from / step;
    int bins = (int) (to / step - first) + 1;
    if (bins < LEAST_BINS) {
      first = Math.max(0, first - (LEAST_BINS - bins) / 2);
      bins = LEAST_BINS;
    }
    return new TimeScale(first * step, step, bins);
  }

  private static long step(long span, int most, long least) {
    return STEPS.stream()
        .filter(step -> step >= least && span / step < most)
        .findFirst()
        .orElse(STEPS.getLast());
  }

  long highest() {
    return lowest + step * bins;
  }

  /** Returns the times at which the axis has labels. */
  List<Long> ticks() {
    long apart = step(highest() - lowest, MOST_TICKS, step);
    long first = (lowest + apart - 1) / apart * apart;
    return LongStream.iterate(first, at -> at <= highest(), at -> at + apart).boxed().toList();
  }

  /** Returns the number of values in each bin. */
  int[] counts(List<Long> values) {
    int[] counts = new int[bins];
    values.forEach(value -> counts[Math.clamp((value - lowest) / step, 0, bins - 1)]++);
    return counts;
  }
}
