package dev.stint.apiserver.patch;

import dev.stint.apiserver.patch.Fields.Difference;
import dev.stint.model.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps {@code metadata.managedFields}, which tells whose the fields of an object are (Kubernetes
 * documentation, "Server-Side Apply", Field management).
 */
public final class ManagedFields {
  private static final String MEMBER = "managedFields";

  private ManagedFields() {}

  /**
   * Records a create, an update or a patch: what came or changed is the manager's from now on, what
   * went is nobody's. Where nothing did, the entries stay as they are, times included.
   *
   * <p>A client may change the entries by writing others, and drop them all by writing {@code
   * [{}]}. What it leaves out, or what makes no sense, is taken from the object before, and so it
   * is for a subresource. An object without entries stays without until somebody applies to it,
   * unless it is new.
   *
   * <p>Shared parts of both documents cost nothing.
   *
   * @param before null where the object is new
   * @param after with its metadata, defaults filled in; {@code metadata.managedFields} is set in it
   */
  public static void updated(
      @Nullable ObjectNode before, ObjectNode after, FieldManager manager, Instant now) {
    ObjectNode metadata = Objects.requireNonNull(Json.objectAt(after, "metadata"), "no metadata");
    JsonNode old = before == null ? null : before.path("metadata").get(MEMBER);
    List<Managed> known = known(old, metadata.get(MEMBER), manager);
    if (before != null && known.isEmpty()) {
      metadata.remove(MEMBER);
      return;
    }
    Shape shape = Shape.ofDocument(after);
    Difference difference = Fields.between(before == null ? Json.object() : before, after, shape);
    Managed.write(Managed.capped(changed(known, difference, manager, now)), metadata);
    if (old != null && old.equals(metadata.get(MEMBER))) {
      metadata.set(MEMBER, old);
    }
  }

  /** The entries that hold before the change: those that the client gives, or the old ones. */
  private static List<Managed> known(
      @Nullable JsonNode old, @Nullable JsonNode given, FieldManager manager) {
    if (manager.subresource().isEmpty() && given != null && given != old) {
      if (isReset(given)) {
        return List.of();
      }
      List<Managed> wanted = Managed.read(given);
      if (wanted != null && !wanted.isEmpty() && Managed.sound(wanted)) {
        return wanted;
      }
    }
    List<Managed> entries = Managed.read(old);
    return entries == null ? List.of() : entries;
  }

  private static boolean isReset(JsonNode given) {
    return given instanceof ArrayNode list
        && list.size() == 1
        && list.get(0).isObject()
        && list.get(0).isEmpty();
  }

  /** The entries after a change that one manager made. */
  static List<Managed> changed(
      List<Managed> entries, Difference difference, FieldManager manager, Instant now) {
    if (difference.isEmpty()) {
      return entries;
    }
    ObjectNode own = difference.changed();
    List<Managed> changed = new ArrayList<>();
    for (Managed entry : entries) {
      ObjectNode left = FieldSets.minus(entry.fields(), difference.removed());
      if (entry.manager().sameEntryAs(manager)) {
        ObjectNode all = FieldSets.union(left, own);
        changed.add(own.isEmpty() ? entry.with(all) : new Managed(manager, now, all));
        own = FieldSets.none();
      } else {
        changed.add(entry.with(FieldSets.minus(left, difference.changed())));
      }
    }
    if (!own.isEmpty()) {
      changed.add(new Managed(manager, now, own));
    }
    changed.removeIf(entry -> entry.fields().isEmpty());
    return changed;
  }
}
