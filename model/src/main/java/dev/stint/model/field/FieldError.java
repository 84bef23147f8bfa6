package dev.stint.model.field;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One fault in a document.
 *
 * @param path the field, such as {@code spec.successPolicy.rules[0].succeededIndexes}
 * @param type the type of the fault; {@link Type#cause} is its name on the wire
 * @param detail the fault and the remedy, in words that follow the path
 * @param value the faulty value; null if there is none, or it is not the fault
 */
public record FieldError(String path, Type type, String detail, @Nullable JsonNode value) {
  private static final int LONGEST_VALUE = 1024;

  /** The detail of a fault about a missing value without further explanation. */
  private static final String NEEDED = "is required";

  public FieldError(String path, Type type, String detail) {
    this(path, type, detail, null);
  }

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
    /** A check that could not be made. */
    INTERNAL("InternalError"),
    /**
     * A field that the kind does not have. A request that holds one is malformed (400), not invalid
     * (422).
     */
    UNKNOWN("FieldUnknown"),
    /** A field that appears twice in one object. Malformed, likewise. */
    REPEATED("FieldRepeated"),
    /** A value of another JSON type than the field's. Malformed, likewise. */
    UNDECODABLE("FieldUndecodable"),
    /** A field of another owner, whose value server-side apply would replace (409). */
    OWNED("FieldManagerConflict"),
    /** A namespace that accepts no new objects, as it is being deleted (403). */
    NAMESPACE_TERMINATING("NamespaceTerminating"),
    /** A revision that the store has not reached yet (504). */
    RESOURCE_VERSION_TOO_LARGE("ResourceVersionTooLarge");

    private final String cause;

    Type(String cause) {
      this.cause = cause;
    }

    /** Returns the cause's reason on the wire. */
    public String cause() {
      return cause;
    }

    /** True if the document cannot be decoded at all, so that the answer is 400 and not 422. */
    public boolean isMalformed() {
      return this == UNKNOWN || this == REPEATED || this == UNDECODABLE;
    }
  }

  /**
   * Returns the fault in the words of the Kubernetes API, without the path: {@code Invalid value:
   * -1: must be greater than or equal to 0}.
   */
  public String message() {
    String shown = value == null ? "" : shown(value);
    return switch (type) {
      case REQUIRED -> detail.equals(NEEDED) ? "Required value" : "Required value: " + detail;
      case INVALID, TYPE_INVALID -> about("Invalid value: ", shown);
      case NOT_SUPPORTED -> about("Unsupported value: ", shown);
      case DUPLICATE -> "Duplicate value: " + (shown.isEmpty() ? detail : shown);
      case NOT_FOUND -> "Not found: " + (shown.isEmpty() ? detail : shown);
      case FORBIDDEN -> "Forbidden: " + detail;
      case TOO_LONG -> "Too long: " + detail;
      case TOO_MANY -> "Too many: " + detail;
      case INTERNAL -> "Internal error: " + detail;
      case UNKNOWN,
          REPEATED,
          UNDECODABLE,
          OWNED,
          NAMESPACE_TERMINATING,
          RESOURCE_VERSION_TOO_LARGE ->
          detail;
    };
  }

  /** Returns the value and the detail, without naming the value twice. */
  private String about(String intro, String shown) {
    if (shown.isEmpty()) {
      return intro + detail;
    }
    boolean named = detail.startsWith(shown + " ") || detail.startsWith(shown + ":");
    return intro + shown + ": " + (named ? detail.substring(shown.length() + 1).strip() : detail);
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "...";
  }

  @Override
  public String toString() {
    return path.isEmpty() ? detail : path + ": " + detail;
  }
}
