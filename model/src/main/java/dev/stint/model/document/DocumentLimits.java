package dev.stint.model.document;

/** What a document may not exceed, so that no input can exhaust stack or memory. */
public final class DocumentLimits {
  /** Objects and lists within each other. */
  public static final int DEPTH = 400;

  /** Values in one text, with every alias counted as if it were written out. */
  static final int VALUES = 1_000_000;

  /** Characters of one text. */
  static final int CHARACTERS = 64 << 20;

  /** Members of one object that stand there again. */
  static final int REPEATS = 100;

  private DocumentLimits() {}
}
