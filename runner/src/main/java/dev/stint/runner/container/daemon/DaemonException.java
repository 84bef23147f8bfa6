package dev.stint.runner.container.daemon;

import org.jspecify.annotations.Nullable;

/** A request to the daemon failed. The message is fit for people. */
public final class DaemonException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The kind of failure. */
  public enum Reason {
    /**
     * The daemon does not answer. It is unknown whether the request took effect; it may be
     * repeated.
     */
    AWAY,
    /** There is no such container, image or command. */
    MISSING,
    /** There is a container of that name. */
    CONFLICT,
    /** The request cannot be done, and repeating it is of no use. */
    REFUSED
  }

  private final Reason reason;

  public DaemonException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
