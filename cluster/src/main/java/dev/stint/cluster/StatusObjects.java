package dev.stint.cluster;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes {@code Status} objects, which the Kubernetes API sends for failures. Nothing else makes
 * them.
 *
 * <pre>{@code
 * List<FieldError> faults = JobAdmission.create(job, uid, gates);
 * ClusterException refusal = ClusterException.refusing(ref, faults);
 * response.write(refusal.reason().code(), StatusObjects.of(refusal));
 * }</pre>
 */
public final class StatusObjects {
  private static final int RETRY_AFTER_SECONDS = 1;

  /** The reasons that have details even if these are empty: some clients read them unchecked. */
  private static final Set<Reason> ALWAYS_DETAILED =
      Set.of(Reason.FORBIDDEN, Reason.NOT_FOUND, Reason.METHOD_NOT_ALLOWED);

  private StatusObjects() {}

  /** Returns the {@code Status} for an exception. */
  public static ObjectNode of(ClusterException refusal) {
    ObjectNode status = Json.object();
    status.put("kind", "Status");
    status.put("apiVersion", "v1");
    ObjectNode metadata = status.putObject("metadata");
    String token = refusal.continueToken();
    if (token != null) {
      metadata.put("continue", token);
    }
    status.put("status", "Failure");
    status.put("message", String.valueOf(refusal.getMessage()));
    status.put("reason", word(refusal.reason()));
    ObjectNode details = details(refusal);
    if (!details.isEmpty() || ALWAYS_DETAILED.contains(refusal.reason())) {
      status.set("details", details);
    }
    status.put("code", refusal.reason().code());
    return status;
  }

  private static ObjectNode details(ClusterException refusal) {
    ObjectNode details = Json.object();
    ObjectRef subject = refusal.subject();
    if (subject != null) {
      subject(details, subject, refusal.reason());
    }
    if (refusal.reason() != Reason.BAD_REQUEST && !refusal.causes().isEmpty()) {
      // The message alone has the causes of a document that cannot be decoded.
      ArrayNode causes = details.putArray("causes");
      refusal.causes().forEach(fault -> cause(causes.addObject(), fault));
    }
    Integer after = retryAfterSeconds(refusal);
    if (after != null) {
      details.put("retryAfterSeconds", after);
    }
    return details;
  }

  /** Returns the seconds after which to ask again, rounded up; null if none are given. */
  public static @Nullable Integer retryAfterSeconds(ClusterException refusal) {
    Duration after = refusal.retryAfter();
    if (after != null) {
      return Math.clamp(after.plusMillis(999).toSeconds(), 0, Integer.MAX_VALUE);
    }
    return switch (refusal.reason()) {
      case TOO_MANY_REQUESTS, TIMEOUT -> RETRY_AFTER_SECONDS;
      default -> null;
    };
  }

  /** Names the subject as Kubernetes does: the kind of an invalid object, and else the resource. */
  private static void subject(ObjectNode details, ObjectRef subject, Reason reason) {
    Kind kind = subject.kind();
    if (!subject.name().isEmpty()) {
      details.put("name", subject.name());
    }
    if (!kind.group().isEmpty()) {
      details.put("group", kind.group());
    }
    details.put("kind", reason == Reason.INVALID ? kind.kind() : kind.plural());
  }

  private static void cause(ObjectNode cause, FieldError fault) {
    cause.put("reason", fault.type().cause());
    cause.put("message", fault.message());
    if (!fault.path().isEmpty()) {
      cause.put("field", fault.path());
    }
  }

  private static String word(Reason reason) {
    return switch (reason) {
      case BAD_REQUEST -> "BadRequest";
      case UNAUTHORIZED -> "Unauthorized";
      case FORBIDDEN -> "Forbidden";
      case METHOD_NOT_ALLOWED -> "MethodNotAllowed";
      case NOT_ACCEPTABLE -> "NotAcceptable";
      case UNSUPPORTED_MEDIA_TYPE -> "UnsupportedMediaType";
      case NOT_FOUND -> "NotFound";
      case ALREADY_EXISTS -> "AlreadyExists";
      case CONFLICT -> "Conflict";
      case GONE -> "Expired";
      case TOO_LARGE -> "RequestEntityTooLarge";
      case INVALID -> "Invalid";
      case TOO_MANY_REQUESTS -> "TooManyRequests";
      case INTERNAL -> "InternalError";
      case UNAVAILABLE -> "ServiceUnavailable";
      case TIMEOUT -> "Timeout";
    };
  }
}
