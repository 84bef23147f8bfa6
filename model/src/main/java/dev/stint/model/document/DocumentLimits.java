package dev.stint.model.document;

/** The limits of documents, so that no input can exhaust stack or memory. */
public final class DocumentLimits {
  /** The maximum depth of nested objects and lists. */
  public static final int DEPTH = 400;

  /** The number of values that an object counts as: so much more memory it takes. */
  static final int OBJECT = 12;

  /** The number of values that a list counts as, likewise. */
  static final int LIST = 3;

  /**
   * The maximum number of values in the body of a request, with every object counted as {@link
   * #OBJECT}, every list as {@link #LIST}, and every alias as what it stands for. The trees of as
   * many take some 200 MB while a request is checked, in the worst kind. Objects of the largest
   * size that is stored, 1.5 MiB, have some 200,000, as nearly all their values have names, and a
   * table of numbers in lists of two has 1,300,000.
   */
  static final int BODY_VALUES = 1_500_000;

  /**
   * The maximum number of values in a YAML file, counted likewise. A file may hold thousands of
   * objects.
   */
  static final int FILE_VALUES = 8 * BODY_VALUES;

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
