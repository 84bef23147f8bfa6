package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An image that the daemon has.
 *
 * @param id for people: its digest in its repository, if it has one
 * @param content identifies it, whatever its names are
 * @param user the user of its containers; empty for root
 * @param stopSignal the signal that asks its containers to end
 * @param size in bytes; 0 if the daemon does not report it
 */
public record LocalImage(String id, String content, String user, String stopSignal, long size) {
  static final String TERM = "SIGTERM";

  /** Reads the daemon's JSON. */
  static LocalImage of(ObjectNode inspected) {
    ObjectNode config = Json.objectAt(inspected, "Config");
    ArrayNode digests = Json.arrayAt(inspected, "RepoDigests");
    String id = orElse(Json.text(inspected, "Id"), "");
    return new LocalImage(
        digests == null || digests.isEmpty() ? id : digests.get(0).stringValue(id),
        id,
        orElse(Json.text(config, "User"), ""),
        orElse(Json.text(config, "StopSignal"), TERM),
        inspected.path("Size").asLong(0));
  }

  private static String orElse(@org.jspecify.annotations.Nullable String text, String otherwise) {
    return text == null || text.isEmpty() ? otherwise : text;
  }
}
