package dev.stint.apiserver.patch;

import dev.stint.apiserver.patch.FieldManager.Operation;
import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An entry of {@code metadata.managedFields}.
 *
 * @param time when the manager last acquired fields; null if unknown
 * @param fields never changed
 */
record ManagedFieldsEntry(FieldManager manager, @Nullable Instant time, ObjectNode fields) {
  /** The limit of Kubernetes for entries of updates; applies have none. */
  static final int MOST_UPDATERS = 10;

  static final String ANCIENT_CHANGES = "ancient-changes";

  private static final Comparator<ManagedFieldsEntry> ORDER =
      Comparator.comparing((ManagedFieldsEntry entry) -> entry.manager.operation().word())
          .thenComparing(ManagedFieldsEntry::time, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(entry -> entry.manager.name())
          .thenComparing(entry -> entry.manager.apiVersion())
          .thenComparing(entry -> entry.manager.subresource());

  ManagedFieldsEntry with(ObjectNode changed) {
    return new ManagedFieldsEntry(manager, time, changed);
  }

  /** Returns the entry of the same manager for an object of another version. */
  ManagedFieldsEntry inVersion(String apiVersion, ObjectNode others) {
    FieldManager same =
        new FieldManager(manager.name(), manager.operation(), manager.subresource(), apiVersion);
    return new ManagedFieldsEntry(same, time, others);
  }

  /** Returns the entries of {@code metadata.managedFields}, or null if one of them is malformed. */
  static @Nullable List<ManagedFieldsEntry> read(@Nullable JsonNode list) {
    List<ManagedFieldsEntry> entries = new ArrayList<>();
    if (list instanceof ArrayNode items) {
      for (JsonNode item : items) {
        ManagedFieldsEntry entry = entry(item);
        if (entry == null) {
          return null;
        }
        entries.add(entry);
      }
    }
    return entries;
  }

  private static @Nullable ManagedFieldsEntry entry(JsonNode item) {
    Operation operation =
        switch (item.path("operation").asString("")) {
          case "Apply" -> Operation.APPLY;
          case "Update" -> Operation.UPDATE;
          default -> null;
        };
    ObjectNode fields = Json.objectAt(item, "fieldsV1");
    boolean sound = item.path("fieldsType").asString("").equals("FieldsV1");
    if (operation == null || fields == null || !sound) {
      return null;
    }
    FieldManager manager =
        new FieldManager(
            item.path("manager").asString(""),
            operation,
            item.path("subresource").asString(""),
            item.path("apiVersion").asString(""));
    return new ManagedFieldsEntry(manager, Timestamps.parse(Json.text(item, "time")), fields);
  }

  /** True if the fields of all entries have the required form. */
  static boolean areSound(List<ManagedFieldsEntry> entries) {
    return entries.stream().allMatch(entry -> FieldSets.isSet(entry.fields));
  }

  /** Returns the entries of managers whose fields are known in a version. */
  static List<ManagedFieldsEntry> ofVersion(
      String apiVersion, List<ManagedFieldsEntry> entries, DocumentShape type) {
    return entries.stream()
        .filter(entry -> type.converts(entry.manager.apiVersion(), apiVersion))
        .toList();
  }

  /** Writes the entries in the order of Kubernetes: applies before updates, older entries first. */
  static void write(List<ManagedFieldsEntry> entries, ObjectNode metadata) {
    if (entries.isEmpty()) {
      metadata.remove("managedFields");
      return;
    }
    ArrayNode list = metadata.putArray("managedFields");
    sorted(entries).forEach(entry -> entry.write(list.addObject()));
  }

  /** Returns the entries in that order. */
  static List<ManagedFieldsEntry> sorted(List<ManagedFieldsEntry> entries) {
    return entries.stream().sorted(ORDER).toList();
  }

  private void write(ObjectNode item) {
    item.put("manager", manager.name());
    item.put("operation", manager.operation().word());
    item.put("apiVersion", manager.apiVersion());
    if (time != null) {
      item.put("time", Timestamps.format(time));
    }
    item.put("fieldsType", "FieldsV1");
    item.set("fieldsV1", fields);
    if (!manager.subresource().isEmpty()) {
      item.put("subresource", manager.subresource());
    }
  }

  /** Returns the entries; if there are too many of updates, the oldest of them are merged. */
  static List<ManagedFieldsEntry> capped(List<ManagedFieldsEntry> entries) {
    List<ManagedFieldsEntry> updaters =
        entries.stream()
            .filter(entry -> entry.manager.operation() == Operation.UPDATE)
            .sorted(ORDER)
            .toList();
    if (updaters.size() <= MOST_UPDATERS) {
      return entries;
    }
    int merged = updaters.size() - MOST_UPDATERS + 1;
    List<ManagedFieldsEntry> left =
        new ArrayList<>(
            entries.stream()
                .filter(entry -> entry.manager.operation() != Operation.UPDATE)
                .toList());
    left.addAll(updaters.subList(merged, updaters.size()));
    left.add(ancient(updaters.subList(0, merged)));
    return left;
  }

  /** Merges entries, oldest first. They are as many as a client wrote, so that it happens once. */
  private static ManagedFieldsEntry ancient(List<ManagedFieldsEntry> entries) {
    ManagedFieldsEntry newest = entries.getLast();
    FieldManager manager =
        new FieldManager(ANCIENT_CHANGES, Operation.UPDATE, "", newest.manager.apiVersion());
    return new ManagedFieldsEntry(manager, newest.time, union(entries));
  }

  /** Returns the fields of all entries. */
  static ObjectNode union(List<ManagedFieldsEntry> entries) {
    return FieldSets.union(entries.stream().map(ManagedFieldsEntry::fields).toList());
  }
}
