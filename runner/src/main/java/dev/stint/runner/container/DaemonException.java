package dev.stint.runner.container;

import org.jspecify.annotations.Nullable;

/** What was asked of the daemon was not done. The message is fit for people. */
final class DaemonException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why not. */
  enum Kind {
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

  DaemonException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
