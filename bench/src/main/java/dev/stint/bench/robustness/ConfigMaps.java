package dev.stint.bench.robustness;

import dev.stint.bench.history.Content;
import dev.stint.bench.history.Version;
import dev.stint.model.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The objects of a history as they are on the wire: config maps of one namespace. */
final class ConfigMaps {
  static final String NAMESPACE = "robustness";
  static final String PATH = "/api/v1/namespaces/" + NAMESPACE + "/configmaps";

  private ConfigMaps() {}

  static String path(String key) {
    return PATH + "/" + key;
  }

  static String namespace() {
    ObjectNode object = Json.object();
    object.put("apiVersion", "v1").put("kind", "Namespace");
    object.putObject("metadata").put("name", NAMESPACE);
    return object.toString();
  }

  /**
   * @param revision 0 for none
   */
  static String body(String key, Content content, long revision) {
    ObjectNode object = Json.object();
    object.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", key);
    metadata.putObject("labels").put("side", content.side());
    if (revision != 0) {
      metadata.put("resourceVersion", Long.toString(revision));
    }
    object.putObject("data").put("put", content.put()).put("patched", content.patched());
    return object.toString();
  }

  static String patch(String text) {
    ObjectNode object = Json.object();
    object.putObject("data").put("patched", text);
    return object.toString();
  }

  static String deletion(long revision) {
    ObjectNode object = Json.object();
    object.put("apiVersion", "v1").put("kind", "DeleteOptions");
    if (revision != 0) {
      object.putObject("preconditions").put("resourceVersion", Long.toString(revision));
    }
    return object.toString();
  }

  static Version version(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    JsonNode data = object.path("data");
    return new Version(
        metadata.path("name").asString(),
        metadata.path("uid").asString(),
        revision(object),
        new Content(data.path("put").asString(), data.path("patched").asString()));
  }

  /** Returns the revision of an object, a list or a bookmark. */
  static long revision(JsonNode object) {
    return Long.parseLong(object.path("metadata").path("resourceVersion").asString());
  }
}
