package dev.stint.model.schema;

/** The type of a field's value, an item of a list or a value of a map. */
public sealed interface ValueType {
  /** A value without members. */
  enum Scalar implements ValueType {
    STRING,
    BOOLEAN,
    INT32,
    INT64,
    /** An amount such as {@code 500m} or {@code 1Gi}; numbers are accepted too. */
    QUANTITY,
    /** A port's number or name. */
    INT_OR_STRING,
    /** RFC 3339, whole seconds. */
    TIME,
    /** RFC 3339, microseconds. */
    MICRO_TIME,
    /** Base64 text. */
    BYTES,
    /** Any value, kept unchanged. */
    ANY
  }

  /**
   * An object of a named type.
   *
   * @param type for {@link Schema#type}
   */
  record Reference(String type) implements ValueType {}

  record ListOf(ValueType item) implements ValueType {}

  /** An object with arbitrary member names. */
  record MapOf(ValueType value) implements ValueType {}
}
