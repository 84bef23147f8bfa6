package dev.stint.apiserver.strategy;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is particular to one kind on its way into the store. What all kinds share (metadata,
 * preconditions, finalizers, revisions) is none of a strategy's business.
 *
 * <p>Strategies are pure: they change the trees that they are given to prepare, and nothing else.
 */
public interface Strategy {
  Kind kind();

  /** Returns the version that writers know objects by. */
  default String apiVersion() {
    return kind().apiVersion();
  }

  /** Whether objects have a status, which is written by requests of its own. */
  default boolean hasStatus() {
    return false;
  }

  /** Whether {@code metadata.generation} counts the changes of the spec. */
  default boolean hasGeneration() {
    return false;
  }

  /** True if an update need not say which version of the object it is based on. */
  default boolean allowsUnconditionalUpdate() {
    return true;
  }

  /** True if an update makes an object that is not there. */
  default boolean createsOnUpdate() {
    return false;
  }

  /**
   * Returns the paths, such as "spec", "nodeName", that the server fills in on top of defaults. A
   * client owns there what it writes itself.
   */
  default List<List<String>> filledIn() {
    return List.of();
  }

  /**
   * What {@link #create} may change of a document that somebody wants: all of it, unless it makes
   * copies of its own of what it changes.
   */
  default ObjectNode draft(ObjectNode wanted) {
    return wanted.deepCopy();
  }

  /**
   * Wipes what clients may not set, fills in defaults and what the API generates, and checks.
   *
   * @param object with settled metadata; changed here
   * @return all faults, those of the metadata included; a name that is no path segment must be one
   */
  List<FieldError> create(ObjectNode object);

  /**
   * Fills in defaults and checks.
   *
   * @param after root and metadata may be changed; the spec only where it is not the very one of
   *     before, which tells that the request left it alone
   * @return all faults, those of the metadata included
   */
  List<FieldError> update(ObjectNode before, ObjectNode after);

  /**
   * Keeps what writers of a status may not change, and checks.
   *
   * @param after before with another status and metadata, which may be changed
   * @return all faults but those of the metadata
   */
  default List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    return List.of();
  }

  /**
   * Checks finalizers of the specification.
   *
   * @param after before with other finalizers and metadata, which may be changed
   * @return all faults but those of the metadata
   */
  default List<FieldError> updateFinalizers(ObjectNode before, ObjectNode after) {
    return List.of();
  }

  /**
   * Returns what to tell the person who creates or updates a valid object, in Kubernetes' words.
   * Who writes a status is told nothing.
   *
   * @param before the stored object; null where the object is new
   * @param after as it is about to be stored
   */
  default List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    return List.of();
  }

  /** Whether something of this kind's own holds an object that is being deleted. */
  default boolean held(ObjectNode object) {
    return false;
  }

  /** What becomes of the objects that one of this kind owns, where a deletion does not say. */
  default Propagation propagation() {
    return Propagation.BACKGROUND;
  }

  /** Marks an object that is being deleted, beyond its metadata. */
  default void deleting(ObjectNode object) {}

  /** Whether somebody runs the objects, so that deletions give them time to end. */
  default boolean hasGracePeriod() {
    return false;
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
