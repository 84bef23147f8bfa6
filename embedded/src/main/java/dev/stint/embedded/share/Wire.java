package dev.stint.embedded.share;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.WatchEvent;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON forms of the values in messages. */
final class Wire {
  private Wire() {}

  /** Returns the text of a member that must be there. */
  static String text(JsonNode from, String member) {
    return Objects.requireNonNull(Json.text(from, member), member);
  }

  /** Returns the object of a member that must be there. */
  static ObjectNode object(JsonNode from, String member) {
    return Objects.requireNonNull(Json.objectAt(from, member), member);
  }

  static ObjectNode of(Kind kind) {
    return Json.object()
        .put("group", kind.group())
        .put("version", kind.version())
        .put("kind", kind.kind())
        .put("plural", kind.plural())
        .put("namespaced", kind.namespaced());
  }

  static Kind kind(ObjectNode from) {
    return new Kind(
        text(from, "group"),
        text(from, "version"),
        text(from, "kind"),
        text(from, "plural"),
        from.path("namespaced").asBoolean());
  }

  static ObjectNode of(ObjectRef ref) {
    return of(ref.kind()).put("namespace", ref.namespace()).put("name", ref.name());
  }

  static ObjectRef ref(ObjectNode from) {
    return new ObjectRef(kind(from), text(from, "namespace"), text(from, "name"));
  }

  static ObjectNode of(DeleteOptions options) {
    ObjectNode tree = Json.object().put("uid", options.uid());
    tree.put("resourceVersion", options.resourceVersion());
    tree.put("gracePeriodSeconds", options.gracePeriodSeconds());
    DeleteOptions.Propagation propagation = options.propagation();
    return tree.put("propagation", propagation == null ? null : propagation.name());
  }

  static DeleteOptions deleteOptions(ObjectNode from) {
    String propagation = Json.text(from, "propagation");
    return new DeleteOptions(
        Json.text(from, "uid"),
        Json.text(from, "resourceVersion"),
        Json.longInteger(from, "gracePeriodSeconds"),
        propagation == null ? null : DeleteOptions.Propagation.valueOf(propagation));
  }

  static ObjectNode of(WatchEvent event) {
    ObjectNode tree = Json.object().put("type", event.type().name());
    tree.set("object", event.object().tree());
    return tree;
  }

  static WatchEvent event(JsonNode from) {
    return new WatchEvent(
        WatchEvent.Type.valueOf(text(from, "type")), KubeObject.of(object(from, "object")));
  }

  static ObjectNode of(ClusterException refusal) {
    ObjectNode tree = Json.object().put("reason", refusal.reason().name());
    tree.put("message", refusal.getMessage());
    ArrayNode causes = tree.putArray("causes");
    refusal.causes().forEach(cause -> causes.add(of(cause)));
    ObjectRef subject = refusal.subject();
    if (subject != null) {
      tree.set("subject", of(subject));
    }
    Duration delay = refusal.retryAfter();
    if (delay != null) {
      tree.put("retryAfterMillis", delay.toMillis());
    }
    return tree;
  }

  private static ObjectNode of(FieldError cause) {
    ObjectNode tree = Json.object().put("path", cause.path()).put("type", cause.type().name());
    tree.put("detail", cause.detail());
    JsonNode value = cause.value();
    if (value != null) {
      tree.set("value", value);
    }
    return tree;
  }

  static ClusterException refusal(ObjectNode from) {
    List<FieldError> causes = new ArrayList<>();
    for (JsonNode cause : from.path("causes")) {
      causes.add(
          new FieldError(
              text(cause, "path"),
              FieldError.Type.valueOf(text(cause, "type")),
              text(cause, "detail"),
              cause.get("value")));
    }
    ObjectNode subject = Json.objectAt(from, "subject");
    ClusterException refusal =
        new ClusterException(
            ClusterException.Reason.valueOf(text(from, "reason")),
            String.valueOf(Json.text(from, "message")),
            causes,
            null,
            subject == null ? null : ref(subject));
    Long delay = Json.longInteger(from, "retryAfterMillis");
    return delay == null ? refusal : refusal.withRetryAfter(Duration.ofMillis(delay));
  }

  /** Returns the failure of a request as a refusal, whatever it was. */
  static ClusterException refusal(Throwable failure) {
    Throwable cause = ClusterException.causeOf(failure);
    return cause instanceof ClusterException refused
        ? refused
        : new ClusterException(ClusterException.Reason.INTERNAL, String.valueOf(cause));
  }

  /** Returns a text member, or null. */
  static @Nullable String optional(JsonNode from, String member) {
    return Json.text(from, member);
  }
}
