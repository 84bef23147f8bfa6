package dev.stint.apiserver.patch;

/**
 * The manager of a change: the client, and how it writes.
 *
 * @param name such as {@code kubectl}
 * @param subresource such as {@code status}; "" for the object itself
 * @param apiVersion of the document that is written, such as {@code batch/v1}
 */
public record FieldManager(
    String name, Operation operation, String subresource, String apiVersion) {
  /** The two ways to own a field. */
  public enum Operation {
    /** The manager changed the field. */
    UPDATE("Update"),
    /** The manager applied a configuration that lists the field. */
    APPLY("Apply");

    private final String word;

    Operation(String word) {
      this.word = word;
    }

    /** Returns the word in {@code metadata.managedFields}. */
    String word() {
      return word;
    }
  }

  /** True if both write the same entry: an applier has one, whatever version it applies. */
  boolean sameEntryAs(FieldManager other) {
    return name.equals(other.name)
        && operation == other.operation
        && subresource.equals(other.subresource)
        && (operation == Operation.APPLY || apiVersion.equals(other.apiVersion));
  }
}
