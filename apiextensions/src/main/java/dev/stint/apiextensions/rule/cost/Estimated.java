package dev.stint.apiextensions.rule.cost;

import org.jspecify.annotations.Nullable;

/**
 * The knowledge about an expression before it is evaluated.
 *
 * @param cost the most that its evaluation costs
 * @param size the size of its value; null if it is not known
 * @param entries the sizes within its value; null if they are not known
 */
record Estimated(long cost, SizedPlace place, @Nullable Size size, @Nullable Entries entries) {
  /**
   * Sizes within a computed list or map.
   *
   * @param keys the sizes of a map's keys
   */
  record Entries(boolean isList, Size keys, Size values) {
    static @Nullable Entries either(@Nullable Entries one, @Nullable Entries other) {
      return one == null || other == null
          ? null
          : new Entries(one.isList, one.keys.or(other.keys), one.values.or(other.values));
    }
  }

  Size sizeOrUnknown() {
    return size == null ? Size.UNKNOWN : size;
  }
}
