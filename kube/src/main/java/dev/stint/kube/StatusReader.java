package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Converts the API's {@code Status} documents to exceptions. */
final class StatusReader {
  private static final int SHOWN = 200;

  private static final Map<String, Reason> REASONS =
      Map.ofEntries(
          Map.entry("BadRequest", Reason.BAD_REQUEST),
          Map.entry("Unauthorized", Reason.UNAUTHORIZED),
          Map.entry("Forbidden", Reason.FORBIDDEN),
          Map.entry("NotFound", Reason.NOT_FOUND),
          Map.entry("NotAcceptable", Reason.NOT_ACCEPTABLE),
          Map.entry("UnsupportedMediaType", Reason.UNSUPPORTED_MEDIA_TYPE),
          Map.entry("AlreadyExists", Reason.ALREADY_EXISTS),
          Map.entry("Conflict", Reason.CONFLICT),
          Map.entry("Gone", Reason.GONE),
          Map.entry("Expired", Reason.GONE),
          Map.entry("RequestEntityTooLarge", Reason.TOO_LARGE),
          Map.entry("Invalid", Reason.INVALID),
          Map.entry("TooManyRequests", Reason.TOO_MANY_REQUESTS),
          Map.entry("ServerTimeout", Reason.UNAVAILABLE),
          Map.entry("Timeout", Reason.UNAVAILABLE),
          Map.entry("ServiceUnavailable", Reason.UNAVAILABLE));

  private StatusReader() {}

  /**
   * Converts an unsuccessful answer.
   *
   * @param code the HTTP code
   * @param body a {@code Status}, or a proxy's text
   */
  static ClusterException of(int code, byte[] body) {
    ObjectNode status = parse(body);
    return status != null && "Status".equals(Json.text(status, "kind"))
        ? of(code, status)
        : new ClusterException(ofCode(code), "HTTP " + code + firstLine(body));
  }

  /** Converts the {@code Status} that ends a watch. */
  static ClusterException of(ObjectNode status) {
    Integer code = Json.integer(status, "code");
    return of(code == null ? Reason.INTERNAL.code() : code, status);
  }

  private static ClusterException of(int code, ObjectNode status) {
    String word = Json.text(status, "reason");
    Reason known = word == null ? null : REASONS.get(word);
    String message = Json.text(status, "message");
    return new ClusterException(
        known == null ? ofCode(code) : known,
        message == null || message.isBlank() ? "HTTP " + code : message,
        causes(Json.arrayAt(Json.objectAt(status, "details"), "causes")));
  }

  private static Reason ofCode(int code) {
    return switch (code) {
      case 401 -> Reason.UNAUTHORIZED;
      case 403 -> Reason.FORBIDDEN;
      case 404 -> Reason.NOT_FOUND;
      case 406 -> Reason.NOT_ACCEPTABLE;
      case 409 -> Reason.CONFLICT;
      case 410 -> Reason.GONE;
      case 413 -> Reason.TOO_LARGE;
      case 415 -> Reason.UNSUPPORTED_MEDIA_TYPE;
      case 422 -> Reason.INVALID;
      case 429 -> Reason.TOO_MANY_REQUESTS;
      case 502, 503, 504 -> Reason.UNAVAILABLE;
      default -> code >= 300 && code < 500 ? Reason.BAD_REQUEST : Reason.INTERNAL;
    };
  }

  private static List<FieldError> causes(@Nullable ArrayNode causes) {
    List<FieldError> errors = new ArrayList<>();
    if (causes != null) {
      causes.forEach(cause -> errors.add(fault(cause)));
    }
    return errors;
  }

  /** Returns a fault without the words for its type, with which the API's message begins. */
  private static FieldError fault(JsonNode cause) {
    FieldError.Type type = type(cause);
    String message = text(cause, "message");
    String intro = new FieldError("", type, "").message();
    String detail = message.startsWith(intro) ? message.substring(intro.length()) : message;
    return new FieldError(text(cause, "field"), type, detail);
  }

  /** Returns the type of a fault; {@code INVALID} for a type that this program does not know. */
  private static FieldError.Type type(JsonNode cause) {
    String word = text(cause, "reason");
    return Arrays.stream(FieldError.Type.values())
        .filter(type -> type.cause().equals(word))
        .findFirst()
        .orElse(FieldError.Type.INVALID);
  }

  private static String text(JsonNode tree, String member) {
    String text = Json.text(tree, member);
    return text == null ? "" : text;
  }

  private static @Nullable ObjectNode parse(byte[] body) {
    try {
      return ProtobufDocument.isOne(body) ? ProtobufDocument.read(body) : Json.parse(body);
    } catch (JacksonException | ClassCastException | ClusterException notAnObject) {
      return null;
    }
  }

  private static String firstLine(byte[] body) {
    String line = new String(body, StandardCharsets.UTF_8).strip().lines().findFirst().orElse("");
    return line.isEmpty() ? "" : ": " + (line.length() <= SHOWN ? line : line.substring(0, SHOWN));
  }
}
