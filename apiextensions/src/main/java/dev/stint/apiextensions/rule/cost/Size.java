package dev.stint.apiextensions.rule.cost;

/**
 * The size of a value: characters of a text, items of a list, entries of a map; 1 for a number.
 *
 * @param min the least that is possible
 * @param max the most that is possible
 */
public record Size(long min, long max) {
  public static final Size UNKNOWN = new Size(0, Long.MAX_VALUE);
  public static final Size ONE = exactly(1);

  public static Size exactly(long size) {
    return new Size(size, size);
  }

  public static Size atMost(long size) {
    return new Size(0, size);
  }

  public Size plus(Size other) {
    return new Size(SaturatingMath.plus(min, other.min), SaturatingMath.plus(max, other.max));
  }

  public Size times(Size other) {
    return new Size(SaturatingMath.times(min, other.min), SaturatingMath.times(max, other.max));
  }

  /** Returns the size of a value that has either this size or another one. */
  public Size or(Size other) {
    return new Size(Math.min(min, other.min), Math.max(max, other.max));
  }

  /** Returns what a walk through a value of this size costs at most. */
  long cost(double perUnit) {
    return SaturatingMath.scaled(max, perUnit);
  }
}
