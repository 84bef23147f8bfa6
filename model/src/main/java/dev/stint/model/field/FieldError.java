package dev.stint.model.field;

/**
 * One fault in a document.
 *
 * @param path the field, such as {@code spec.successPolicy.rules[0].succeededIndexes}
 * @param type what is wrong with it; {@link Type#cause} is the word on the wire
 * @param detail what is wrong and what would be right, in words that stand alone after the path
 */
public record FieldError(String path, Type type, String detail) {
  /** The kinds of faults that the Kubernetes API distinguishes. */
  public enum Type {
    REQUIRED("FieldValueRequired"),
    INVALID("FieldValueInvalid"),
    TYPE_INVALID("FieldValueTypeInvalid"),
    NOT_SUPPORTED("FieldValueNotSupported"),
    DUPLICATE("FieldValueDuplicate"),
    FORBIDDEN("FieldValueForbidden"),
    NOT_FOUND("FieldValueNotFound"),
    TOO_LONG("FieldValueTooLong"),
    TOO_MANY("FieldValueTooMany"),
    /**
     * A field that the kind does not have. A request that holds one is malformed (400), not invalid
     * (422).
     */
    UNKNOWN("FieldUnknown"),
    /** A field that stands twice in one object. Malformed, likewise. */
    REPEATED("FieldRepeated"),
    /** A value of another JSON type than the field's. Malformed, likewise. */
    UNDECODABLE("FieldUndecodable");

    private final String cause;

    Type(String cause) {
      this.cause = cause;
    }

    /** The cause's reason on the wire. */
    public String cause() {
      return cause;
    }

    /** Whether the document cannot be decoded at all, so that the answer is 400 and not 422. */
    public boolean malformed() {
      return this == UNKNOWN || this == REPEATED || this == UNDECODABLE;
    }
  }

  @Override
  public String toString() {
    return path.isEmpty() ? detail : path + ": " + detail;
  }
}
