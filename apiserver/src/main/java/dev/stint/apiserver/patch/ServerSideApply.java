package dev.stint.apiserver.patch;

import dev.stint.apiserver.patch.FieldDifference.Difference;
import dev.stint.apiserver.patch.FieldManager.Operation;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Server-side apply (KEP-555; Kubernetes documentation, "Server-Side Apply"). */
public final class ServerSideApply {
  private static final String BEFORE_FIRST_APPLY = "before-first-apply";

  private ServerSideApply() {}

  /**
   * Applies a configuration to an object. Its manager owns the fields that it lists, and nothing
   * else; fields that it owned before, no longer lists and nobody else owns are removed. {@code
   * metadata.managedFields} is written in the result.
   *
   * <p>The applier owns what it wrote, not the decoded form, so the caller has to decode the
   * result. A null is owned too and clears a value. If an object has no managed fields yet, all of
   * its fields belong to a manager named {@code before-first-apply}.
   *
   * @param live the current object; null if it does not exist yet; not changed, but it may share
   *     parts with the result, and is the result if nothing changes
   * @param intent a document as it was written, of a kind that the schema knows; not changed
   * @param manager one that applies
   * @param type of the documents
   * @param force true to take fields from others who own them with other values
   * @throws ClusterException {@code CONFLICT}, with a cause for every field, if others own fields
   *     that would change; {@code BAD_REQUEST} if the intent has managed fields, or items without
   *     keys or with repeated ones
   */
  public static ObjectNode apply(
      @Nullable ObjectNode live,
      ObjectNode intent,
      FieldManager manager,
      boolean force,
      Instant now,
      DocumentShape type) {
    SchemaNode shape = type.schema(intent);
    ObjectNode wanted = AppliedConfiguration.of(intent, manager.subresource(), shape);
    ObjectNode own = FieldDifference.listed(wanted, shape);
    ObjectNode base = live == null ? Json.object() : live;
    Map<Boolean, List<ManagedFieldsEntry>> entries =
        entries(live, manager, type, now).stream()
            .collect(Collectors.partitioningBy(entry -> entry.manager().sameEntryAs(manager)));
    ObjectNode last = ManagedFieldsEntry.union(entries.getOrDefault(true, List.of()));
    List<ManagedFieldsEntry> others = entries.getOrDefault(false, List.of());
    ObjectNode owned = FieldSets.union(own, ManagedFieldsEntry.union(others));
    ObjectNode merged = AppliedConfiguration.merged(base, wanted, shape);
    ObjectNode after = AppliedConfiguration.pruned(merged, last, owned, shape);
    Difference difference = FieldDifference.between(base, after, shape);
    if (!force) {
      ObjectNode allowed = LastApplied.unchanged(base, manager, shape);
      refuseConflicts(others, FieldSets.minus(difference.changed(), allowed));
    }
    boolean idle = live != null && after == live && own.equals(last);
    return idle && (isTracked(base) || others.isEmpty())
        ? base
        : managed(
            LastApplied.kept(after, intent, manager),
            others,
            difference,
            new ManagedFieldsEntry(manager, now, own));
  }

  private static boolean isTracked(ObjectNode object) {
    return !object.path("metadata").path("managedFields").isEmpty();
  }

  /**
   * Returns the entries of the live object in the manager's version, or one entry for all of its
   * fields.
   */
  private static List<ManagedFieldsEntry> entries(
      @Nullable ObjectNode live, FieldManager manager, DocumentShape type, Instant now) {
    if (live == null) {
      return List.of();
    }
    List<ManagedFieldsEntry> entries =
        ManagedFieldsEntry.read(live.path("metadata").get("managedFields"));
    if (entries != null && !entries.isEmpty() && ManagedFieldsEntry.areSound(entries)) {
      return ManagedFieldsEntry.ofVersion(manager.apiVersion(), entries, type);
    }
    SchemaNode shape = type.schema(live);
    ObjectNode all =
        FieldDifference.between(shape.emptyDocument(), live, shape)
            .through(manager.subresource(), shape)
            .changed();
    FieldManager nobody =
        new FieldManager(
            BEFORE_FIRST_APPLY, Operation.UPDATE, "", live.path("apiVersion").asString(""));
    return all.isEmpty() ? List.of() : List.of(new ManagedFieldsEntry(nobody, now, all));
  }

  private static ObjectNode managed(
      ObjectNode after,
      List<ManagedFieldsEntry> others,
      Difference difference,
      ManagedFieldsEntry own) {
    List<ManagedFieldsEntry> entries = new ArrayList<>();
    for (ManagedFieldsEntry other : others) {
      ObjectNode left = FieldSets.minus(other.fields(), difference.changed());
      entries.add(other.with(FieldSets.minus(left, difference.removed())));
    }
    entries.add(own);
    entries.removeIf(entry -> entry.fields().isEmpty());
    ObjectNode result = DocumentValues.shallowCopy(after);
    ObjectNode metadata = Json.objectAt(after, "metadata");
    ObjectNode written = metadata == null ? Json.object() : DocumentValues.shallowCopy(metadata);
    result.set("metadata", written);
    ManagedFieldsEntry.write(entries, written);
    return result;
  }

  private static void refuseConflicts(List<ManagedFieldsEntry> others, ObjectNode changed) {
    List<FieldError> conflicts = new ArrayList<>();
    StringBuilder list = new StringBuilder();
    for (ManagedFieldsEntry other : others) {
      List<String> paths = FieldPaths.of(FieldSets.common(other.fields(), changed));
      String who = shown(other);
      paths.forEach(path ->
          conflicts.add(new FieldError(path, FieldError.Type.OWNED, "conflict with " + who)));
      if (!paths.isEmpty()) {
        list.append(list.isEmpty() ? "" : "\n").append("conflicts with ").append(who).append(':');
        paths.forEach(path -> list.append("\n- ").append(path));
      }
    }
    if (!conflicts.isEmpty()) {
      FieldError first = conflicts.getFirst();
      String message =
          conflicts.size() == 1
              ? "Apply failed with 1 conflict: " + first.detail() + ": " + first.path()
              : "Apply failed with " + conflicts.size() + " conflicts: " + list;
      throw new ClusterException(Reason.CONFLICT, message, conflicts);
    }
  }

  /** Returns the name of an owner as Kubernetes prints it: for updates with the version. */
  private static String shown(ManagedFieldsEntry entry) {
    FieldManager manager = entry.manager();
    String name = '"' + manager.name() + '"';
    String through =
        manager.subresource().isEmpty()
            ? name
            : name + " with subresource \"" + manager.subresource() + '"';
    return manager.operation() == Operation.APPLY
        ? through
        : through + " using " + manager.apiVersion();
  }
}
