package dev.stint.model.document;

/** The limits of documents, so that no input can exhaust stack or memory. */
public final class DocumentLimits {
  /** The maximum depth of nested objects and lists. */
  public static final int DEPTH = 400;

  /** The maximum number of values in one text, with every alias counted as if it were expanded. */
  static final int VALUES = 1_000_000;

  /** The maximum number of characters in one text. */
  static final int CHARACTERS = 64 << 20;

  /** The maximum number of repeated members in one object. */
  static final int REPEATS = 100;

  /**
   * The maximum number of faults of one type that are reported of a document. Kubernetes reports as
   * many unknown and repeated fields.
   */
  public static final int FAULTS = 100;

  private DocumentLimits() {}
}
