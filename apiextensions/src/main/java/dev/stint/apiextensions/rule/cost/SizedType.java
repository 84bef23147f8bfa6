package dev.stint.apiextensions.rule.cost;

import org.jspecify.annotations.Nullable;

/** A type of values whose size a schema limits. */
public interface SizedType {
  /** Returns how many characters, items or entries a value has at most. */
  long maxElements();

  /** Returns how many bytes a value has at least, as JSON. */
  long minBytes();

  /** Returns the type of a list's items or a map's values; null if it is neither. */
  @Nullable SizedType elements();

  /** Returns the type of a map's keys; null if it is none. */
  @Nullable SizedType keys();

  /** Returns the type of a member of an object; null if there is none. */
  @Nullable SizedType member(String name);
}
