package dev.stint.cluster;

import dev.stint.model.field.FieldError;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a Kubernetes API answers when it does not do as asked. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reasons that callers tell apart, with their HTTP codes. */
  public enum Reason {
    BAD_REQUEST(400),
    FORBIDDEN(403),
    NOT_FOUND(404),
    ALREADY_EXISTS(409),
    CONFLICT(409),
    GONE(410),
    TOO_LARGE(413),
    INVALID(422),
    TOO_MANY_REQUESTS(429),
    INTERNAL(500),
    /** The API cannot take writes now: it is away, stopping, or its disk is full. */
    UNAVAILABLE(503);

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

  public ClusterException(Reason reason, String message) {
    this(reason, message, List.of(), null);
  }

  public ClusterException(Reason reason, String message, List<FieldError> causes) {
    this(reason, message, causes, null);
  }

  public ClusterException(
      Reason reason, String message, List<FieldError> causes, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.causes = List.copyOf(causes);
  }

  /** What made a future fail, without the wrapping that futures put around it. */
  public static Throwable causeOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  public Reason reason() {
    return reason;
  }

  /** The faults of an {@code INVALID} or {@code BAD_REQUEST} document; empty otherwise. */
  public List<FieldError> causes() {
    return causes;
  }

  /** Whether the very same request may succeed later without anybody changing it. */
  public boolean passing() {
    return switch (reason) {
      case TOO_MANY_REQUESTS, INTERNAL, UNAVAILABLE -> true;
      default -> false;
    };
  }
}
