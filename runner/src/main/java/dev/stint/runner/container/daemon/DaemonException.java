package dev.stint.runner.container.daemon;

import org.jspecify.annotations.Nullable;

/** What was asked of the daemon was not done. The message is fit for people. */
public final class DaemonException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why not. */
  public enum Kind {
    /** Nobody answers; whether it was done is not known, and it may be asked again. */
    AWAY,
    /** There is no such container, image or command. */
    MISSING,
    /** There is a container of that name. */
    CONFLICT,
    /** It can't be done, and asking again is of no use. */
    REFUSED
  }

  private final Kind kind;

  public DaemonException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
