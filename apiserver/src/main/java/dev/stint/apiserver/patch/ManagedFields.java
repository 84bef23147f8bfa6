package dev.stint.apiserver.patch;

import dev.stint.apiserver.patch.FieldDifference.Difference;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.support.EventFieldNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Maintains {@code metadata.managedFields}, which records the owners of an object's fields
 * (Kubernetes documentation, "Server-Side Apply", Field management).
 */
public final class ManagedFields {
  /** The member of the metadata. */
  public static final String MEMBER = "managedFields";

  private static final String SCALE_VERSION = "autoscaling/v1";

  private ManagedFields() {}

  /**
   * Records a create, an update or a patch: the manager becomes the owner of all added and changed
   * fields, and removed fields lose their owners. If no field changed, the entries stay as they
   * are, times included.
   *
   * <p>Fields have the names of the version that the manager writes. Entries of a version that
   * cannot be converted to this one are dropped, as in Kubernetes: those of events that were
   * written in the other group.
   *
   * <p>An existing object without entries gets none until somebody applies to it.
   *
   * <p>Shared parts of the documents cost nothing.
   *
   * @param before null if the object is new
   * @param after with its metadata, see {@link #carry}; {@code metadata.managedFields} is set in it
   * @param requested the object as its writer asked for it, defaults filled in
   * @param type of the documents
   */
  public static void updated(
      @Nullable ObjectNode before,
      ObjectNode after,
      ObjectNode requested,
      FieldManager manager,
      Instant now,
      DocumentShape type) {
    ObjectNode metadata = Objects.requireNonNull(Json.objectAt(after, "metadata"), "no metadata");
    JsonNode old = metadata.get(MEMBER);
    List<ManagedFieldsEntry> read = ManagedFieldsEntry.read(old);
    List<ManagedFieldsEntry> entries = read == null ? List.of() : read;
    if (before != null && entries.isEmpty()) {
      if (old != null) { // Otherwise the metadata may be shared, and must not be changed.
        metadata.remove(MEMBER);
      }
      return;
    }
    ObjectNode asked = shown(requested, manager);
    SchemaNode shape = type.schema(asked);
    ObjectNode known = before == null ? shape.emptyDocument() : shown(before, manager);
    Difference difference =
        FieldDifference.between(known, asked, shape).through(manager.subresource(), shape);
    ManagedFieldsEntry.write(
        ManagedFieldsEntry.capped(changed(entries, difference, manager, now, type)), metadata);
    if (old != null && old.equals(metadata.get(MEMBER))) {
      metadata.set(MEMBER, old);
    }
  }

  /** Returns a stored object in its manager's version. Only events are written in two versions. */
  private static ObjectNode shown(ObjectNode stored, FieldManager manager) {
    boolean event = stored.path("kind").asString("").equals(Kind.EVENTS_EVENT.kind());
    return event && manager.apiVersion().equals(Kind.EVENTS_EVENT.apiVersion())
        ? EventFieldNames.shown(stored)
        : stored;
  }

  /**
   * Drops entries from a client that do not count: all entries if one of them is malformed, and
   * entries of other versions than the object's.
   *
   * @param apiVersion that the client knows the object by
   * @param type of the object
   */
  public static void keepSound(ObjectNode object, String apiVersion, DocumentShape type) {
    ObjectNode metadata = Json.objectAt(object, "metadata");
    JsonNode given = metadata == null ? null : metadata.get(MEMBER);
    if (metadata == null || given == null || given.isEmpty() || isReset(given)) {
      return;
    }
    List<ManagedFieldsEntry> wanted = ManagedFieldsEntry.read(given);
    ArrayNode kept = metadata.putArray(MEMBER);
    if (wanted != null && ManagedFieldsEntry.areSound(wanted)) {
      given.forEach(entry -> {
        if (type.converts(entry.path("apiVersion").asString(""), apiVersion)) {
          kept.add(entry);
        }
      });
    }
    if (kept.isEmpty()) {
      metadata.remove(MEMBER);
    }
  }

  /**
   * Merges the entries that a client writes with the stored ones. It may change entries by writing
   * others, and drop them all by writing {@code []} or {@code [{}]}. If they are absent or
   * malformed, the stored ones are kept.
   *
   * @param from the metadata before
   * @param to the metadata that is written; changed here
   */
  public static void carry(ObjectNode from, ObjectNode to) {
    JsonNode old = from.get(MEMBER);
    JsonNode given = to.get(MEMBER);
    if (given != null && isReset(given)) {
      to.remove(MEMBER);
      return;
    }
    List<ManagedFieldsEntry> wanted =
        given == null || given.equals(old) ? null : ManagedFieldsEntry.read(given);
    if (wanted != null && !wanted.isEmpty() && ManagedFieldsEntry.areSound(wanted)) {
      return;
    }
    if (old == null) {
      to.remove(MEMBER);
    } else {
      to.set(MEMBER, old);
    }
  }

  private static boolean isReset(JsonNode given) {
    return given instanceof ArrayNode list
        && (list.isEmpty()
            || (list.size() == 1 && list.get(0).isObject() && list.get(0).isEmpty()));
  }

  /**
   * Adds to a scale who owns the number that is wanted: the owners of the field of the object.
   *
   * @param from the metadata of the object
   * @param path of its field
   * @param to the metadata of the scale
   */
  public static void ofScale(JsonNode from, List<String> path, ObjectNode to) {
    List<ManagedFieldsEntry> entries = ManagedFieldsEntry.read(from.get(MEMBER));
    if (entries == null) {
      return;
    }
    ObjectNode wanted = Json.object();
    wanted.putObject(FieldPaths.member("spec")).putObject(FieldPaths.member("replicas"));
    ManagedFieldsEntry.write(
        entries.stream()
            .filter(entry -> FieldSets.has(entry.fields(), path))
            .map(entry -> entry.inVersion(SCALE_VERSION, wanted))
            .toList(),
        to);
  }

  /** True if both have the same entries, apart from their times. */
  public static boolean sameButTimes(ObjectNode metadata, ObjectNode other) {
    return timeless(metadata).equals(timeless(other));
  }

  private static List<ObjectNode> timeless(ObjectNode metadata) {
    List<ObjectNode> entries = new ArrayList<>();
    metadata
        .path(MEMBER)
        .forEach(entry -> {
          ObjectNode copy = Json.copyOf((ObjectNode) entry);
          copy.remove("time");
          entries.add(copy);
        });
    return entries;
  }

  /** Returns the entries after a change that one manager made. */
  static List<ManagedFieldsEntry> changed(
      List<ManagedFieldsEntry> entries,
      Difference difference,
      FieldManager manager,
      Instant now,
      DocumentShape type) {
    if (difference.isEmpty()) {
      return entries;
    }
    ObjectNode own = difference.changed();
    List<ManagedFieldsEntry> changed = new ArrayList<>();
    for (ManagedFieldsEntry entry :
        ManagedFieldsEntry.ofVersion(manager.apiVersion(), entries, type)) {
      ObjectNode left = FieldSets.minus(entry.fields(), difference.removed());
      if (entry.manager().sameEntryAs(manager)) {
        ObjectNode all = FieldSets.union(left, own);
        changed.add(own.isEmpty() ? entry.with(all) : new ManagedFieldsEntry(manager, now, all));
        own = FieldSets.none();
      } else {
        changed.add(entry.with(FieldSets.minus(left, difference.changed())));
      }
    }
    if (!own.isEmpty()) {
      changed.add(new ManagedFieldsEntry(manager, now, own));
    }
    changed.removeIf(entry -> entry.fields().isEmpty());
    return changed;
  }
}
