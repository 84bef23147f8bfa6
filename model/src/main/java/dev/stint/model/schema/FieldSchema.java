package dev.stint.model.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of an object type.
 *
 * @param presence the treatment of an empty value
 * @param ownership how server-side apply assigns the parts of a list, map or object to owners
 * @param keys the members that identify an item of a list, where {@code ownership} is {@code KEYS}
 * @param patchKey the member by which a strategic merge patch matches items; "" if it merges plain
 *     values; null if it replaces the list
 * @param retainKeys whether a strategic merge patch drops the members that it does not name
 * @param defaultKey the value of the field as a key if it is absent; null for none
 * @param required whether the value must not be empty
 * @param values the values that it, or each item, may have; none if they are not enumerated
 */
public record FieldSchema(
    String name,
    ValueType type,
    Presence presence,
    Ownership ownership,
    List<String> keys,
    @Nullable String patchKey,
    boolean retainKeys,
    @Nullable String defaultKey,
    boolean required,
    List<String> values) {
  /** The treatment of an empty value: "", 0, false, [] or {}. */
  public enum Presence {
    /** An empty value equals an absent one, and is dropped. */
    OMITTED,
    /** An empty list or map differs from an absent one only while a request is checked. */
    CHECKED,
    /** An empty value differs from an absent one, and is kept. */
    OPTIONAL,
    /** The field is always there. */
    ALWAYS,
    /** The field is always there, with null for an absent value. */
    NULLABLE
  }

  /** The granularity at which server-side apply assigns owners. */
  public enum Ownership {
    /** Each member of an object or map separately. */
    GRANULAR,
    /** The value as a whole. */
    ATOMIC,
    /** Each value of a list. */
    SET,
    /** Each item of a list, identified by its keys. */
    KEYS
  }
}
