package dev.stint.apiserver;

/**
 * Estimates the memory that a parsed document takes: its text alone says little, since a document
 * of many short values takes up to some twenty times as much.
 */
final class TreeWeight {
  /** The memory of a node, of its name and of its place in its parent, in bytes. */
  static final int VALUE_BYTES = 75;

  /** By unsigned byte: 1 if a value may follow it. A table, since a branch is missed too often. */
  private static final byte[] STARTS_VALUE = new byte[256];

  static {
    for (char each : new char[] {',', '{', '['}) {
      STARTS_VALUE[each] = 1;
    }
  }

  private TreeWeight() {}

  /**
   * Returns the bytes that the tree takes, roughly.
   *
   * @param text JSON. Each value but the first follows one of the characters that are counted;
   *     those in strings count, too, and make the estimate too high.
   */
  static int of(byte[] text) {
    int values = 0;
    for (byte each : text) {
      values += STARTS_VALUE[Byte.toUnsignedInt(each)];
    }
    return text.length + VALUE_BYTES * values;
  }
}
