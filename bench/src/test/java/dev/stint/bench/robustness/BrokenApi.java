package dev.stint.bench.robustness;

import dev.stint.model.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A server with a fault, made of a right one: it changes requests and answers now and then. */
final class BrokenApi implements TestedApi {

  /** The fault of such an API. */
  enum Fault {
    ANSWERS_OLD_READS,
    IGNORES_RESOURCE_VERSIONS,
    FORGETS_DELETIONS,
    DROPS_EVENTS,
    REPEATS_EVENTS,
    BOOKMARKS_TOO_FAR,
    LISTS_OLD_OBJECTS
  }

  /** One of so many chances is used. */
  private static final int RARELY = 5;

  private final TestedApi right;
  private final Fault fault;
  private final Map<String, ObjectNode> old = new HashMap<>();
  private int chances;

  BrokenApi(TestedApi right, Fault fault) {
    this.right = right;
    this.fault = fault;
  }

  private boolean happens(Fault now) {
    return fault == now && ++chances % RARELY == 0;
  }

  @Override
  public Reply send(String method, String path, String body)
      throws IOException, InterruptedException {
    if (method.equals("PUT") && happens(Fault.IGNORES_RESOURCE_VERSIONS)) {
      ObjectNode object = Json.parse(body);
      ((ObjectNode) object.path("metadata")).remove("resourceVersion");
      return right.send(method, path, object.toString());
    }
    if (method.equals("DELETE") && happens(Fault.FORGETS_DELETIONS)) {
      return new Reply(200, Json.object());
    }
    Reply reply = right.send(method, path, body);
    return method.equals("GET") && reply.code() == 200 ? read(path, reply) : reply;
  }

  private Reply read(String path, Reply reply) {
    boolean isList = reply.body().path("items").isArray();
    if (isList) {
      reply.body().path("items").forEach(item -> keepOld(ConfigMaps.path(name(item)), item));
      return happens(Fault.LISTS_OLD_OBJECTS) ? listOld(reply) : reply;
    }
    keepOld(path, reply.body());
    return happens(Fault.ANSWERS_OLD_READS)
        ? new Reply(200, old.getOrDefault(path, reply.body()))
        : reply;
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asString();
  }

  private void keepOld(String path, JsonNode object) {
    old.putIfAbsent(path, (ObjectNode) object.deepCopy());
  }

  private Reply listOld(Reply reply) {
    ObjectNode list = reply.body().deepCopy();
    list.putArray("items")
        .addAll(
            reply
                .body()
                .path("items")
                .valueStream()
                .map(item -> (JsonNode) old.getOrDefault(ConfigMaps.path(name(item)), null))
                .toList());
    return new Reply(200, list);
  }

  @Override
  public int watch(String path, Consumer<ObjectNode> line)
      throws IOException, InterruptedException {
    return right.watch(path, each -> pass(each, line));
  }

  private void pass(ObjectNode event, Consumer<ObjectNode> line) {
    boolean isBookmark = event.path("type").asString("").equals("BOOKMARK");
    if (!isBookmark && happens(Fault.DROPS_EVENTS)) {
      return;
    }
    if (isBookmark && fault == Fault.BOOKMARKS_TOO_FAR) {
      ObjectNode metadata = (ObjectNode) event.path("object").path("metadata");
      metadata.put("resourceVersion", Long.toString(ConfigMaps.revision(event.path("object")) + 9));
    }
    line.accept(event);
    if (!isBookmark && happens(Fault.REPEATS_EVENTS)) {
      line.accept(event);
    }
  }

  @Override
  public boolean isReady() throws InterruptedException {
    return right.isReady();
  }

  @Override
  public void close() {
    right.close();
  }
}
