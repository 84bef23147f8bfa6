package dev.stint.conformance.histories;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The normal form of a Job's status: everything but times, messages and uids. */
final class StatusText {
  private static final List<String> PLAIN =
      List.of(
          "active",
          "ready",
          "terminating",
          "succeeded",
          "failed",
          "completedIndexes",
          "failedIndexes");

  private StatusText() {}

  /**
   * Returns a status, such as {@code active=1 ready=0 terminating=0 uncounted=1/0 started
   * Suspended=False:JobResumed}: its members as they are, the numbers of uncounted pods, whether
   * there are a start and a completion, and the conditions in order.
   */
  static String of(KubeObject job) {
    ObjectNode status = Json.copyOf(job.status());
    StringJoiner text = new StringJoiner(" ");
    for (String name : PLAIN) {
      JsonNode value = status.get(name);
      if (value != null) {
        text.add(name + "=" + value.asString());
      }
    }
    ObjectNode uncounted = Json.objectAt(status, "uncountedTerminatedPods");
    int succeeded = size(uncounted, "succeeded");
    int failed = size(uncounted, "failed");
    if (succeeded + failed > 0) {
      text.add("uncounted=" + succeeded + "/" + failed);
    }
    if (status.has("startTime")) {
      text.add("started");
    }
    if (status.has("completionTime")) {
      text.add("completed");
    }
    ArrayNode conditions = Json.arrayAt(status, "conditions");
    if (conditions != null) {
      conditions.forEach(one -> text.add(condition(one)));
    }
    if (job.deletionTimestamp() != null) {
      text.add("deleting");
    }
    return text.toString();
  }

  private static int size(@Nullable ObjectNode tree, String member) {
    ArrayNode list = Json.arrayAt(tree, member);
    return list == null ? 0 : list.size();
  }

  private static String condition(JsonNode condition) {
    return "%s=%s:%s"
        .formatted(
            Json.text(condition, "type"),
            Json.text(condition, "status"),
            Json.text(condition, "reason"));
  }
}
