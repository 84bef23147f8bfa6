package dev.stint.apiserver.strategy;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.DefinitionNames;
import dev.stint.model.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The status of CustomResourceDefinitions. */
final class DefinitionStatus {
  private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private DefinitionStatus() {}

  /**
   * Accepts the names of a valid definition, and adds the version in which objects are stored.
   *
   * @param definition its status is replaced
   */
  static void establish(ObjectNode definition, CustomKind kind) {
    ObjectNode status = Json.copyOf(Json.objectAt(definition, "status"));
    if (!status.has("conditions")) {
      String since = definition.at("/metadata/creationTimestamp").asString("");
      ArrayNode conditions = status.putArray("conditions");
      conditions.add(condition("NamesAccepted", since, "NoConflicts", "no conflicts found"));
      conditions.add(
          condition(
              "Established",
              since,
              "InitialNamesAccepted",
              "the initial names have been accepted"));
    }
    status.set("acceptedNames", names(kind.names()));
    status.set("storedVersions", versions(status.get("storedVersions"), kind.stored().name()));
    definition.set("status", status);
  }

  /** Adds the finalizer that holds a definition as long as there are objects of its kind. */
  static void holdUntilCleanedUp(ObjectNode definition) {
    ArrayNode finalizers =
        MetadataDefaults.of(definition).withArrayProperty("finalizers").deepCopy();
    if (finalizers.valueStream().noneMatch(each -> each.asString("").equals(CLEANUP))) {
      finalizers.add(CLEANUP);
    }
    MetadataDefaults.of(definition).set("finalizers", finalizers);
  }

  private static ObjectNode condition(String type, String since, String reason, String message) {
    return Json.object()
        .put("lastTransitionTime", since)
        .put("message", message)
        .put("reason", reason)
        .put("status", "True")
        .put("type", type);
  }

  private static ObjectNode names(DefinitionNames names) {
    ObjectNode accepted = Json.object();
    accepted.put("kind", names.kind()).put("listKind", names.listKind());
    accepted.put("plural", names.plural()).put("singular", names.singular());
    put(accepted, "shortNames", names.shortNames());
    put(accepted, "categories", names.categories());
    return accepted;
  }

  private static void put(ObjectNode names, String member, List<String> values) {
    if (!values.isEmpty()) {
      values.forEach(names.putArray(member)::add);
    }
  }

  private static ArrayNode versions(JsonNode before, String stored) {
    ArrayNode versions = Json.array();
    if (before != null) {
      before.forEach(versions::add);
    }
    if (versions.valueStream().noneMatch(each -> each.asString("").equals(stored))) {
      versions.add(stored);
    }
    return versions;
  }
}
