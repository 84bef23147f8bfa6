package dev.stint.model.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of an object type.
 *
 * @param presence what becomes of an empty value
 * @param ownership how server-side apply tells whose parts of a list, map or object are
 * @param keys the members that identify an item of a list, where {@code ownership} is {@code KEYS}
 * @param patchKey the member by which a strategic merge patch matches items; "" where it merges
 *     plain values; null where it replaces the list
 * @param retainKeys whether a strategic merge patch drops the members that it does not name
 * @param defaultKey the value that stands in for the field where it is an absent key; null for none
 */
public record FieldSchema(
    String name,
    ValueType type,
    Presence presence,
    Ownership ownership,
    List<String> keys,
    @Nullable String patchKey,
    boolean retainKeys,
    @Nullable String defaultKey) {
  /** What becomes of an empty value: "", 0, false, [] or {}. */
  public enum Presence {
    /** It is the same as an absent one, and dropped. */
    OMITTED,
    /** Of a list or map: it differs from an absent one while a request is checked, no longer. */
    CHECKED,
    /** It differs from an absent one, and is kept. */
    OPTIONAL,
    /** The field is always there. */
    ALWAYS,
    /** The field is always there, with null in the place of an absent value. */
    NULLABLE
  }

  /** How server-side apply tells whose parts are. */
  public enum Ownership {
    /** Each member of an object or map by itself. */
    GRANULAR,
    /** The value as one. */
    ATOMIC,
    /** Each value of a list. */
    SET,
    /** Each item of a list, known by its keys. */
    KEYS
  }
}
