package dev.stint.controllers.namespace;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The conditions that report the progress of a namespace's deletion. */
final class NamespaceConditions {
  private record Condition(String type, boolean status, String reason, String message) {}

  private NamespaceConditions() {}

  /** Returns the namespace with conditions for its contents; null if it has them already. */
  static @Nullable KubeObject updated(
      KubeObject namespace, NamespaceContents contents, Instant now) {
    ObjectNode copy = namespace.copy();
    ObjectNode status = copy.withObjectProperty("status");
    ArrayNode conditions = status.withArrayProperty("conditions");
    boolean changed = false;
    for (Condition condition : of(contents)) {
      changed |= set(conditions, condition, now);
    }
    return changed ? KubeObject.of(copy) : null;
  }

  private static List<Condition> of(NamespaceContents contents) {
    return List.of(
        new Condition(
            "NamespaceDeletionDiscoveryFailure",
            false,
            "ResourcesDiscovered",
            "All resources successfully discovered"),
        new Condition(
            "NamespaceDeletionGroupVersionParsingFailure",
            false,
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed"),
        deletionFailure(contents),
        contentRemaining(contents),
        finalizersRemaining(contents));
  }

  private static Condition deletionFailure(NamespaceContents contents) {
    String type = "NamespaceDeletionContentFailure";
    return contents.hasFailures()
        ? new Condition(
            type,
            true,
            "ContentDeletionFailed",
            "Failed to delete all resource types, " + contents.failures())
        : new Condition(
            type,
            false,
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization");
  }

  private static Condition contentRemaining(NamespaceContents contents) {
    String type = "NamespaceContentRemaining";
    return contents.hasRemaining()
        ? new Condition(
            type,
            true,
            "SomeResourcesRemain",
            "Some resources are remaining: " + contents.remaining())
        : new Condition(type, false, "ContentRemoved", "All content successfully removed");
  }

  private static Condition finalizersRemaining(NamespaceContents contents) {
    String type = "NamespaceFinalizersRemaining";
    return contents.hasFinalizers()
        ? new Condition(
            type,
            true,
            "SomeFinalizersRemain",
            "Some content in the namespace has finalizers remaining: " + contents.finalizers())
        : new Condition(
            type, false, "ContentHasNoFinalizers", "All content-preserving finalizers finished");
  }

  private static boolean set(ArrayNode conditions, Condition wanted, Instant now) {
    ObjectNode found = find(conditions, wanted.type());
    ObjectNode condition = found == null ? conditions.addObject() : found;
    String status = wanted.status() ? "True" : "False";
    boolean turned = !status.equals(Json.text(condition, "status"));
    if (!turned && Objects.equals(Json.text(condition, "message"), wanted.message())) {
      return false;
    }
    condition.put("type", wanted.type()).put("status", status);
    condition.put("reason", wanted.reason()).put("message", wanted.message());
    if (turned) {
      condition.put("lastTransitionTime", Timestamps.format(now));
    }
    return true;
  }

  private static @Nullable ObjectNode find(ArrayNode conditions, String type) {
    for (JsonNode condition : conditions) {
      if (type.equals(Json.text(condition, "type")) && condition instanceof ObjectNode tree) {
        return tree;
      }
    }
    return null;
  }
}
