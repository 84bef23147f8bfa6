package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is particular to one kind on its way into the store. What all kinds share (metadata,
 * preconditions, finalizers, revisions) is none of a strategy's business.
 *
 * <p>Strategies are pure. They may change the trees they are given to prepare, and no others.
 */
interface Strategy {
  Kind kind();

  /** Whether objects have a status, which is written by requests of its own. */
  default boolean hasStatus() {
    return false;
  }

  /** Whether {@code metadata.generation} counts the changes of the spec. */
  default boolean hasGeneration() {
    return false;
  }

  /** Wipes what clients may not set, fills in defaults and what the API generates. */
  default void prepareCreate(ObjectNode object) {}

  /** All faults, those of the metadata included; a name that is no path segment must be one. */
  List<FieldError> validateCreate(ObjectNode object);

  /**
   * Fills in defaults. Not called where neither the spec nor the labels change. The root, the
   * metadata and the spec may be changed; the status is that of before.
   */
  default void prepareUpdate(ObjectNode before, ObjectNode after) {}

  /** All faults, those of the metadata included. Both have the revision of before. */
  List<FieldError> validateUpdate(ObjectNode before, ObjectNode after);

  /** Keeps what writers of a status may not change. The new status may be changed here. */
  default void prepareStatus(ObjectNode before, ObjectNode after) {}

  default List<FieldError> validateStatus(ObjectNode before, ObjectNode after) {
    return List.of();
  }

  /**
   * How long a deletion waits for whoever runs the object.
   *
   * @param asked what the request says, in seconds; null where it says nothing
   * @return seconds, 0 for not at all
   */
  default long gracePeriodSeconds(ObjectNode object, @Nullable Long asked) {
    return 0;
  }
}
