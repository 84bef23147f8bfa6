package dev.stint.model.document;

/** Counts the values of a text, so that many small ones cannot exhaust the memory. */
final class ValueCount {
  private final int most;
  private int found;

  ValueCount(int most) {
    this.most = most;
  }

  /** Adds values, at most as many as were allowed; false if there are too many. */
  boolean add(int more) {
    found += more;
    return found <= most;
  }

  int found() {
    return found;
  }

  /** Returns what is wrong if there are too many. */
  String fault() {
    return "too many values; at most "
        + most
        + ", with an object counted as "
        + DocumentLimits.OBJECT
        + ", a list as "
        + DocumentLimits.LIST
        + ", and aliases written out";
  }
}
