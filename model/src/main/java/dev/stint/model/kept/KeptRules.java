package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The defaults and rules of one kind, in addition to what its schema says. All methods are pure but
 * {@link #complete}.
 */
public interface KeptRules {
  /** The rules of a kind whose schema says all. */
  KeptRules NONE = new KeptRules() {};

  /** Checks the name of a new object; null if it is sound. */
  default @Nullable String name(String name) {
    return Formats.dnsSubdomain(name);
  }

  /**
   * Fills in the defaults of a new or changed object. Idempotent.
   *
   * @param stored the stored object; null for a new one
   */
  default void complete(ObjectNode object, @Nullable ObjectNode stored) {}

  /** Checks a new or changed object with its defaults. */
  default void check(FieldPath root, FieldErrors faults) {}

  /** Checks what may not change. */
  default void checkChange(FieldPath before, FieldPath after, FieldErrors faults) {}

  /** Fills in the defaults of an object whose status is written. Idempotent. */
  default void completeStatus(ObjectNode object) {}

  /** Checks a status that is written. */
  default void checkStatus(FieldPath root, FieldErrors faults) {}

  /**
   * Returns the paths that the server fills in, beyond defaults: of those a client owns nothing.
   */
  default List<List<String>> allocated() {
    return List.of();
  }

  /** Adds a fault if a field has changed. */
  static void unchanged(FieldPath before, FieldPath after, FieldErrors faults) {
    if (!before.sameAs(after)) {
      faults.invalid(after, "field is immutable");
    }
  }
}
