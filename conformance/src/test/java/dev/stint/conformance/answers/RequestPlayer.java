package dev.stint.conformance.answers;

import dev.stint.conformance.answers.InProcessApi.Answered;
import dev.stint.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Plays recorded requests of one area, as {@code answers.py} does over the wire. */
final class RequestPlayer {
  private static final String DRY = "?dryRun=All&fieldValidation=Strict";
  private static final String JSON = "application/json";
  private static final byte[] NOTHING = {};
  private static final List<String> WITH_STATUS = List.of("Job", "CronJob", "Pod");

  private final InProcessApi api;
  private final AnswerFile area;
  private @Nullable ObjectNode last;
  private String standing = "";
  private @Nullable ObjectNode live;

  RequestPlayer(InProcessApi api, AnswerFile area) {
    this.api = api;
    this.area = area;
  }

  /** Plays one row; null if this server does not accept the object that it starts from. */
  @Nullable Answered play(RecordedAnswer row) {
    ObjectNode before = row.before();
    if (before == null) {
      String path = row.path() == null ? area.collection() + DRY : row.path();
      return api.call(
          row.method(),
          path.contains("?") ? path : path + "?dryRun=All",
          row.body(),
          row.contentType());
    }
    ObjectNode found = stand(before);
    if (found == null) {
      return null;
    }
    byte[] body = aimed(row, before, found);
    return row.id().startsWith("patch|")
        ? api.call("PATCH", Objects.requireNonNull(row.path()), body, row.contentType())
        : api.call(
            "PUT",
            pathOf(before) + (row.id().startsWith("status") ? "/status" : "") + DRY,
            body,
            row.contentType());
  }

  private String pathOf(ObjectNode object) {
    return area.collection() + "/" + Json.text(Json.objectAt(object, "metadata"), "name");
  }

  /** Stores the object that a row starts from; null if this server does not accept it. */
  private @Nullable ObjectNode stand(ObjectNode before) {
    if (before != last) {
      last = before;
      String key = before.path("metadata").path("uid") + " " + before.get("status");
      if (!standing.equals(key)) {
        standing = key;
        live = stored(before);
      }
    }
    return live;
  }

  private @Nullable ObjectNode stored(ObjectNode before) {
    String path = pathOf(before);
    api.call(
        "PATCH",
        path,
        bytes(Json.parse("{\"metadata\":{\"finalizers\":null}}")),
        "application/merge-patch+json");
    api.call("DELETE", path + "?propagationPolicy=Background&gracePeriodSeconds=0", NOTHING, JSON);
    Answered now = api.call("POST", area.collection(), bytes(NormalizedObject.bare(before)), JSON);
    String kind = Objects.requireNonNullElse(Json.text(before, "kind"), "");
    if (now.code() == 409 && kind.equals("Namespace")) {
      now = api.call("GET", path, NOTHING, JSON);
    }
    JsonNode status = before.get("status");
    if (now.code() < 300 && status != null && !status.isEmpty() && WITH_STATUS.contains(kind)) {
      ObjectNode wanted = Objects.requireNonNull(now.tree()).deepCopy();
      wanted.set("status", status);
      now = api.call("PUT", path + "/status", bytes(wanted), JSON);
    }
    if (now.code() < 300 && before.path("metadata").has("deletionTimestamp")) {
      api.call("DELETE", path, NOTHING, JSON);
      now = api.call("GET", path, NOTHING, JSON);
    }
    return now.code() < 300 ? now.tree() : null;
  }

  /** Returns the recorded request, directed at the object on this server. */
  private static byte[] aimed(RecordedAnswer row, ObjectNode before, ObjectNode found) {
    ObjectNode then = before.withObjectProperty("metadata");
    ObjectNode now = found.withObjectProperty("metadata");
    String json = new String(row.body(), StandardCharsets.ISO_8859_1);
    for (String member : List.of("resourceVersion", "creationTimestamp")) {
      if (then.hasNonNull(member)) {
        json = json.replace(member(member, then), member(member, now));
      }
    }
    if (json.contains("\"managedFields\"") && !row.id().contains("managedFields")) {
      json = withoutManagedFields(json);
    }
    String uid = Json.text(then, "uid");
    return ascii(
        uid == null ? json : json.replace(uid, Objects.requireNonNull(Json.text(now, "uid"))));
  }

  private static String member(String name, ObjectNode metadata) {
    return "\"" + name + "\": " + metadata.get(name);
  }

  private static String withoutManagedFields(String json) {
    JsonNode tree = Json.read(json.getBytes(StandardCharsets.ISO_8859_1));
    ObjectNode metadata =
        tree instanceof ObjectNode object ? Json.objectAt(object, "metadata") : null;
    if (metadata == null) {
      return json;
    }
    metadata.remove("managedFields");
    return tree.toString();
  }

  private static byte[] bytes(@Nullable JsonNode tree) {
    return ascii(String.valueOf(tree));
  }

  /** Returns JSON in ASCII, which can also express lone surrogates. */
  private static byte[] ascii(String json) {
    byte[] plain = json.getBytes(StandardCharsets.ISO_8859_1);
    int first = 0;
    while (first < plain.length && json.charAt(first) < 128) {
      first++;
    }
    if (first == plain.length) {
      return plain;
    }
    StringBuilder ascii = new StringBuilder(json.length()).append(json, 0, first);
    for (int i = first; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c < 128) {
        ascii.append(c);
      } else {
        ascii.append("\\u%04x".formatted((int) c));
      }
    }
    return ascii.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
