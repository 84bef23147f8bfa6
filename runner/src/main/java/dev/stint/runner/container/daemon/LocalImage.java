package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An image that is there.
 *
 * @param id for people: its digest in its repository, where it has one
 * @param user who its containers run as; empty for root
 * @param stopSignal what asks its containers to end
 * @param size in bytes; 0 where the daemon does not tell
 */
public record LocalImage(String id, String user, String stopSignal, long size) {
  public static final String TERM = "SIGTERM";

  /** Reads what the daemon says of it. */
  static LocalImage of(ObjectNode inspected) {
    ObjectNode config = Json.objectAt(inspected, "Config");
    ArrayNode digests = Json.arrayAt(inspected, "RepoDigests");
    String id = orElse(Json.text(inspected, "Id"), "");
    return new LocalImage(
        digests == null || digests.isEmpty() ? id : digests.get(0).stringValue(id),
        orElse(Json.text(config, "User"), ""),
        orElse(Json.text(config, "StopSignal"), TERM),
        inspected.path("Size").asLong(0));
  }

  private static String orElse(@org.jspecify.annotations.Nullable String text, String otherwise) {
    return text == null || text.isEmpty() ? otherwise : text;
  }
}
