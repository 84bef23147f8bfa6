package dev.stint.apiserver.strategy;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Builds the errors of the API, in Kubernetes' words. */
public final class ApiErrors {
  /** Clients that ask again by themselves, ten times as a rule, do so for most of a minute. */
  private static final Duration RETRY_WITHOUT_ROOM = Duration.ofSeconds(5);

  private ApiErrors() {}

  public static ClusterException notFound(ObjectRef ref) {
    return about(ref, Reason.NOT_FOUND, named(ref) + " not found");
  }

  public static ClusterException alreadyExists(ObjectRef ref) {
    return about(ref, Reason.ALREADY_EXISTS, named(ref) + " already exists");
  }

  public static ClusterException modified(ObjectRef ref) {
    return conflict(
        ref,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  public static ClusterException otherUid(ObjectRef ref, String wanted, String found) {
    return conflict(
        ref,
        "Precondition failed: UID in precondition: %s, UID in object meta: %s"
            .formatted(wanted, found));
  }

  public static ClusterException terminatingNamespace(ObjectRef ref) {
    FieldError cause =
        new FieldError(
            "metadata.namespace",
            FieldError.Type.NAMESPACE_TERMINATING,
            "namespace " + ref.namespace() + " is being terminated");
    return new ClusterException(
        Reason.FORBIDDEN,
        "%s is forbidden: unable to create new content in namespace %s because it is being terminated"
            .formatted(named(ref), ref.namespace()),
        List.of(cause),
        null,
        ref);
  }

  public static ClusterException terminatingDefinition() {
    return new ClusterException(
        Reason.METHOD_NOT_ALLOWED,
        "create not allowed while custom resource definition is terminating");
  }

  public static ClusterException immortalNamespace(ObjectRef ref) {
    return forbidden(ref, "this namespace may not be deleted");
  }

  public static ClusterException forbidden(ObjectRef ref, String why) {
    return about(ref, Reason.FORBIDDEN, named(ref) + " is forbidden: " + why);
  }

  public static ClusterException badRequest(String message) {
    return new ClusterException(Reason.BAD_REQUEST, message);
  }

  public static ClusterException gone(String revision) {
    return new ClusterException(Reason.GONE, "too old resource version: " + revision);
  }

  /**
   * Returns the refusal of the next page of a list whose revision is forgotten.
   *
   * @param token goes on at the newest revision
   */
  public static ClusterException expired(String token) {
    ClusterException refusal =
        new ClusterException(
            Reason.GONE,
            "the continue token is too old for a consistent list: list from the start without it,"
                + " or go on with metadata.continue of this answer; that list is of the newest"
                + " revision, so objects that changed between its pages may be missing, or be in it"
                + " twice");
    return refusal.withContinueToken(token);
  }

  public static ClusterException tooLarge(ObjectRef ref, long bytes, long limit) {
    return about(
        ref,
        Reason.TOO_LARGE,
        "%s is too large: %d bytes, and %d at most are kept".formatted(named(ref), bytes, limit));
  }

  /** Returns the refusal, for now, of an object that the server has no memory for. */
  public static ClusterException noRoom(ObjectRef ref) {
    ClusterException refusal =
        about(
            ref,
            Reason.TOO_MANY_REQUESTS,
            named(ref)
                + " is not stored: the server has no memory for more objects; delete some and try"
                + " again within a minute, or start it with a larger heap (STINT_JAVA_OPTS=-Xmx…)");
    return refusal.withRetryAfter(RETRY_WITHOUT_ROOM);
  }

  public static ClusterException unavailable(Throwable cause) {
    String message = Objects.requireNonNullElse(cause.getMessage(), "the store is not available");
    return new ClusterException(Reason.UNAVAILABLE, message, List.of(), cause);
  }

  public static ClusterException internal(Throwable fault) {
    return new ClusterException(
        Reason.INTERNAL, "Internal error occurred: " + fault, List.of(), fault);
  }

  /** Returns 422 with all faults, or 400 if the document could not even be decoded. */
  public static ClusterException invalid(Kind kind, String name, List<FieldError> faults) {
    return ClusterException.refusing(new ObjectRef(kind, "", name), faults);
  }

  public static ClusterException conflict(ObjectRef ref, String why) {
    return about(
        ref, Reason.CONFLICT, "Operation cannot be fulfilled on " + named(ref) + ": " + why);
  }

  private static String named(ObjectRef ref) {
    return "%s \"%s\"".formatted(resource(ref.kind()), ref.name());
  }

  private static String resource(Kind kind) {
    return kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
  }

  private static ClusterException about(ObjectRef ref, Reason reason, String message) {
    return new ClusterException(reason, message, List.of(), null, ref);
  }
}
