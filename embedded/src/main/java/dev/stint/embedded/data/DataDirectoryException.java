package dev.stint.embedded.data;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A data directory cannot be used; the message is one line that says why and what to do. */
public final class DataDirectoryException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The holder that has locked the directory, and has not written yet which process it is. */
  public static final String UNNAMED_HOLDER = "a process that is starting";

  private final @Nullable String holder;

  DataDirectoryException(String message) {
    super(message);
    this.holder = null;
  }

  private DataDirectoryException(String message, String holder) {
    super(message);
    this.holder = holder;
  }

  static DataDirectoryException inUse(Path directory, String holder) {
    return new DataDirectoryException(
        "data directory %s is in use by another stint process (%s); stop it, or choose another directory with --data"
            .formatted(directory, holder),
        holder);
  }

  static DataDirectoryException ofAnother(Path directory, String owner) {
    // A user without a name is a number, which sudo takes with a mark.
    String user = owner.matches("\\d+") ? "'#" + owner + "'" : owner;
    return new DataDirectoryException(
        "data directory %s belongs to %s, who could not open what root writes there; run the command as that user: sudo -u %s stint …"
            .formatted(directory, owner, user));
  }

  /**
   * Describes the process that has the directory open ({@link #UNNAMED_HOLDER} for a moment); null
   * if it cannot be used for another reason.
   */
  public @Nullable String holder() {
    return holder;
  }

  DataDirectoryException(String message, Throwable cause) {
    super(message, cause);
    this.holder = null;
  }
}
