package dev.stint.cluster;

import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The failure of a Kubernetes API request. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reasons of failures, with their HTTP codes. */
  public enum Reason {
    BAD_REQUEST(400),
    UNAUTHORIZED(401),
    FORBIDDEN(403),
    NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    NOT_ACCEPTABLE(406),
    ALREADY_EXISTS(409),
    CONFLICT(409),
    GONE(410),
    TOO_LARGE(413),
    UNSUPPORTED_MEDIA_TYPE(415),
    INVALID(422),
    TOO_MANY_REQUESTS(429),
    INTERNAL(500),
    /** The API cannot accept writes now: it is unreachable, stopping, or its disk is full. */
    UNAVAILABLE(503),
    /** The requested revision is not reached yet. */
    TIMEOUT(504);

    private final int code;

    Reason(int code) {
      this.code = code;
    }

    public int code() {
      return code;
    }
  }

  private final Reason reason;
  private final transient List<FieldError> causes;
  private final transient @Nullable ObjectRef subject;
  private final @Nullable Duration retryAfter;
  private final @Nullable String continueToken;
  private boolean withheld;

  public ClusterException(Reason reason, String message) {
    this(reason, message, List.of(), null);
  }

  public ClusterException(Reason reason, String message, List<FieldError> causes) {
    this(reason, message, causes, null);
  }

  public ClusterException(
      Reason reason, String message, List<FieldError> causes, @Nullable Throwable cause) {
    this(reason, message, causes, cause, null);
  }

  /**
   * @param subject the object that the request was about; null if it was about none
   */
  public ClusterException(
      Reason reason,
      String message,
      List<FieldError> causes,
      @Nullable Throwable cause,
      @Nullable ObjectRef subject) {
    this(reason, message, causes, cause, subject, null, null);
  }

  private ClusterException(
      Reason reason,
      @Nullable String message,
      List<FieldError> causes,
      @Nullable Throwable cause,
      @Nullable ObjectRef subject,
      @Nullable Duration retryAfter,
      @Nullable String continueToken) {
    super(message, cause);
    this.reason = reason;
    this.causes = List.copyOf(causes);
    this.subject = subject;
    this.retryAfter = retryAfter;
    this.continueToken = continueToken;
  }

  /** Returns the same failure with the API's {@code Retry-After}. */
  public ClusterException withRetryAfter(Duration delay) {
    return new ClusterException(
        reason, getMessage(), causes, getCause(), subject, delay, continueToken);
  }

  /** Returns the same failure with a token with which the list goes on that it ended. */
  public ClusterException withContinueToken(String token) {
    return new ClusterException(
        reason, getMessage(), causes, getCause(), subject, retryAfter, token);
  }

  /**
   * Returns the failure for a document with faults: {@code INVALID} with all of them, or {@code
   * BAD_REQUEST} with those for which it could not even be decoded.
   *
   * @param faults at least one
   */
  public static ClusterException refusing(ObjectRef subject, List<FieldError> faults) {
    Kind kind = subject.kind();
    List<FieldError> malformed = faults.stream().filter(f -> f.type().isMalformed()).toList();
    if (!malformed.isEmpty()) {
      String message =
          "%s in version \"%s\" cannot be handled as a %s: strict decoding error: %s"
              .formatted(kind.kind(), kind.version(), kind.kind(), joined(malformed));
      return new ClusterException(Reason.BAD_REQUEST, message, malformed, null, subject);
    }
    String all = faults.size() == 1 ? joined(faults) : "[" + joined(faults) + "]";
    String type = kind.group().isEmpty() ? kind.kind() : kind.kind() + "." + kind.group();
    String message = "%s \"%s\" is invalid: %s".formatted(type, subject.name(), all);
    return new ClusterException(Reason.INVALID, message, faults, null, subject);
  }

  /** Returns the failure for a request for a future revision. */
  public static ClusterException notReached(long revision, long newest) {
    return new ClusterException(
        Reason.TIMEOUT,
        "Too large resource version: %d, current: %d".formatted(revision, newest),
        List.of(
            new FieldError(
                "", FieldError.Type.RESOURCE_VERSION_TOO_LARGE, "Too large resource version")));
  }

  private static String joined(List<FieldError> faults) {
    return faults.stream()
        .map(f -> f.path().isEmpty() ? f.message() : f.path() + ": " + f.message())
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the failure for a request that was not sent, as this process may not write (any more).
   */
  public static ClusterException withheld(String message) {
    ClusterException answer = new ClusterException(Reason.FORBIDDEN, message);
    answer.withheld = true;
    return answer;
  }

  /** Returns the cause of a future's failure, without the {@code CompletionException} around it. */
  public static Throwable causeOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  public Reason reason() {
    return reason;
  }

  /**
   * Returns the faults of an {@code INVALID} or {@code BAD_REQUEST} document, the fields of other
   * owners in a {@code CONFLICT} of server-side apply, or the cause that distinguishes one {@code
   * FORBIDDEN} or {@code TIMEOUT} from others; empty otherwise.
   */
  public List<FieldError> causes() {
    return causes;
  }

  /** Returns the object that the request was about; null if it was about none or is unknown. */
  public @Nullable ObjectRef subject() {
    return subject;
  }

  /** Returns the delay that the API asks for; null if it asks for none. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /** Returns the token with which a list goes on that has {@code GONE}; null if there is none. */
  public @Nullable String continueToken() {
    return continueToken;
  }

  /** True if the request was not sent at all, as this process may not write (any more). */
  public boolean isWithheld() {
    return withheld;
  }

  /** True if the request may have been carried out nevertheless. */
  public boolean isOutcomeUnknown() {
    return switch (reason) {
      case INTERNAL, UNAVAILABLE, TIMEOUT -> true;
      default -> false;
    };
  }

  /** True if the same request may succeed later without any change. */
  public boolean isTransient() {
    return switch (reason) {
      case TOO_MANY_REQUESTS, INTERNAL, UNAVAILABLE, TIMEOUT -> true;
      default -> false;
    };
  }
}
