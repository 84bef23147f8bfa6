package dev.stint.apiextensions.rule.cost;

import org.jspecify.annotations.Nullable;

/**
 * The operands of a call: the value before the dot, if there is one, and then the arguments. Their
 * sizes are estimated, or known while a rule runs.
 */
interface Operands {
  int count();

  Size size(int index);

  /** Returns what it costs to look at all parts of an operand. */
  long traversal(int index);

  /** Returns the size of a list's items. */
  Size itemSize(int index);

  /** True if an operand is a list of texts or of bytes. */
  boolean hasTexts(int index);

  boolean isText(int index);

  /** Returns a whole number; another one if the operand is none, or is not known yet. */
  long number(int index, long otherwise);

  /** Returns the name of the type of a {@link LibraryValue}; null for other operands. */
  @Nullable String libraryType(int index);

  /** Returns the size of the result; null before the call. */
  @Nullable Size result();

  /** True if these are estimates. */
  default boolean areEstimates() {
    return result() == null;
  }
}
