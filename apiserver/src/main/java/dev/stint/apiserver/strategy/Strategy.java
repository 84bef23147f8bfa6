package dev.stint.apiserver.strategy;

import dev.stint.apiserver.patch.DocumentShape;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules of one kind for writes. Rules of all kinds (metadata, preconditions, finalizers,
 * revisions) are not part of a strategy.
 *
 * <p>Strategies are pure: they change only the trees that they are given to prepare.
 */
public interface Strategy {
  Kind kind();

  /** Returns the version by which writers know the objects. */
  default String apiVersion() {
    return kind().apiVersion();
  }

  /** Returns what the ownership of the fields of its objects depends on. */
  default DocumentShape shape() {
    return DocumentShape.BUILT_IN;
  }

  /**
   * Returns a stored object in the version that writers know, with the defaults that its kind has
   * got since. Shares members with it, and is the same instance if there is no difference.
   */
  default ObjectNode shown(ObjectNode stored) {
    return stored;
  }

  /** Returns an object of the version that writers know as it is stored; shares its members. */
  default ObjectNode kept(ObjectNode shown) {
    return shown;
  }

  /** True if an object is stored in the version in which new ones are. */
  default boolean isCurrent(ObjectNode stored) {
    return true;
  }

  /**
   * True if methods of this strategy may wait for a webhook, so that decisions about objects are
   * made in threads of their own.
   */
  default boolean mayWait() {
    return false;
  }

  /** True if objects have a status, which separate requests write. */
  default boolean hasStatus() {
    return false;
  }

  /** True if {@code metadata.generation} counts the changes of the spec. */
  default boolean hasGeneration() {
    return false;
  }

  /** True if an update need not name the revision that it is based on. */
  default boolean allowsUnconditionalUpdate() {
    return true;
  }

  /** True if an update creates an object that does not exist. */
  default boolean createsOnUpdate() {
    return false;
  }

  /**
   * Returns the paths, such as "spec", "nodeName", that the server fills in in addition to
   * defaults. Of these fields, a client owns only those that it wrote itself.
   */
  default List<List<String>> filledIn() {
    return List.of();
  }

  /**
   * Returns the copy that {@link #create} may change: a deep one, unless the strategy itself copies
   * what it changes.
   */
  default ObjectNode draft(ObjectNode wanted) {
    return wanted.deepCopy();
  }

  /**
   * Completes and validates a new object: clears what clients may not set, fills in defaults and
   * generated values.
   *
   * @param object with complete metadata; changed here
   * @return all faults, those of the metadata included; a name that is not a path segment must be
   *     one
   */
  List<FieldError> create(ObjectNode object);

  /**
   * Completes and validates a changed object: fills in defaults.
   *
   * @param after root and metadata may be changed; the spec only if it is not the same instance as
   *     before, which means that the request left it alone
   * @return all faults, those of the metadata included
   */
  List<FieldError> update(ObjectNode before, ObjectNode after);

  /**
   * Returns the status that a write of it asks for; null for none. Built-in kinds always have one.
   *
   * @param wanted the document of the request
   */
  default @Nullable JsonNode wantedStatus(ObjectNode wanted) {
    return Json.copyOf(Json.objectAt(wanted, "status"));
  }

  /**
   * Restores what writers of a status may not change, and validates.
   *
   * @param after the stored object with another status and metadata, which may be changed
   * @return all faults but those of the metadata
   */
  default List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    return List.of();
  }

  /**
   * Validates the finalizers of the specification.
   *
   * @param after the stored object with other finalizers and metadata, which may be changed
   * @return all faults but those of the metadata
   */
  default List<FieldError> updateFinalizers(ObjectNode before, ObjectNode after) {
    return List.of();
  }

  /**
   * Returns warnings for a user who creates or updates a valid object, in Kubernetes' words. Writes
   * of a status have none.
   *
   * @param before the stored object; null if the object is new
   * @param after in the form in which it will be stored
   */
  default List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    return List.of();
  }

  /** True if a rule of this kind holds an object that is being deleted. */
  default boolean isHeld(ObjectNode object) {
    return false;
  }

  /** Returns the propagation of deletions that request none. */
  default Propagation propagation() {
    return Propagation.BACKGROUND;
  }

  /**
   * Adds the finalizers that keep an object until what depends on it has been cleaned up. Called
   * once for each object: with the first request to delete it, before anything decides whether it
   * is removed at once.
   *
   * @param object its metadata may be changed
   */
  default void hold(ObjectNode object) {}

  /** Marks an object that is being deleted, in addition to its metadata. */
  default void markDeleting(ObjectNode object) {}

  /** True if an agent runs the objects, so that deletions give them time to end. */
  default boolean hasGracePeriod() {
    return false;
  }

  /**
   * Returns the time that a deletion waits for the agent that runs the object.
   *
   * @param asked the requested time, in seconds; null if none is requested
   * @return seconds, 0 for not at all
   */
  default long gracePeriodSeconds(ObjectNode object, @Nullable Long asked) {
    return 0;
  }
}
