package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.write.Warnings;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes repeated owner references from requests. */
final class OwnerWarnings {
  private OwnerWarnings() {}

  /** Drops all owners that repeat an earlier one, and warns. */
  static void dropRepeated(ObjectNode object, Warnings warnings) {
    ObjectNode metadata = Json.objectAt(object, "metadata");
    ArrayNode owners = Json.arrayAt(metadata, "ownerReferences");
    if (metadata == null || owners == null || owners.size() < 2) {
      return;
    }
    ArrayNode kept = Json.array();
    List<String> repeated = new ArrayList<>();
    Set<JsonNode> seen = new HashSet<>();
    for (JsonNode owner : owners) {
      if (seen.add(owner)) {
        kept.add(owner);
      } else {
        repeated.add(owner.path("uid").asString(""));
      }
    }
    if (!repeated.isEmpty()) {
      metadata.set("ownerReferences", kept);
      warnings.add(
          List.of(
              ".metadata.ownerReferences contains duplicate entries; API server dedups owner"
                  + " references in 1.20+, and may reject such requests as early as 1.24; please fix"
                  + " your requests; duplicate UID(s) observed: "
                  + String.join(", ", repeated)));
    }
  }
}
