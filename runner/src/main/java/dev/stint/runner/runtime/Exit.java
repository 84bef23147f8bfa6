package dev.stint.runner.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt.
 *
 * @param code the exit code; 128 + n for signal n
 * @param signal the signal that ended it, if known; null otherwise
 * @param reason as a kubelet words it: {@code Completed}, {@code Error}, {@code StartError}, {@code
 *     Unknown}
 * @param message for people; empty for none
 * @param stopped true if it was ended from outside, see {@link #asStopped}
 * @param failedWithPod true if it failed because its pod did, see {@link #asFailed}
 */
public record Exit(
    int code,
    @Nullable Integer signal,
    String reason,
    String message,
    Instant startedAt,
    Instant finishedAt,
    boolean stopped,
    boolean failedWithPod) {
  public static final String START_ERROR = "StartError";

  /** The reason of a command that failed. */
  private static final String ERROR = "Error";

  /** The reason of a container that the system killed for lack of memory. */
  public static final String OOM_KILLED = "OOMKilled";

  /**
   * The reason that a kubelet reports for a container that was lost with a restart of the machine.
   */
  static final String LOST = "Unknown";

  private static final int LOST_CODE = 255;

  /** The exit code that a kubelet reports for a container that could not be started. */
  static final int START_ERROR_CODE = 128;

  /** Creates the exit of a command that ran and ended. */
  public static Exit of(int code, @Nullable Integer signal, Instant startedAt, Instant finishedAt) {
    String reason = code == 0 ? "Completed" : ERROR;
    return new Exit(code, signal, reason, "", startedAt, finishedAt, false, false);
  }

  /** Creates the exit of a command that could not be started. */
  public static Exit startError(String message, Instant at) {
    return new Exit(START_ERROR_CODE, null, START_ERROR, message, at, at, false, false);
  }

  /** Creates the exit of a command that was lost with a restart of the machine. */
  public static Exit lost(Instant startedAt, Instant at) {
    String message = "The machine restarted while the container ran";
    return new Exit(LOST_CODE, null, LOST, message, startedAt, at, false, false);
  }

  /** True if it was lost with a restart of the machine. */
  public boolean isLost() {
    return reason.equals(LOST);
  }

  /** True if its command ran and failed, for no reason that the system knows. */
  public boolean isError() {
    return reason.equals(ERROR);
  }

  /** Creates the exit of a container that was to end before it began. */
  public static Exit neverStarted(String message, Instant at) {
    return new Exit(137, null, "ContainerStatusUnknown", message, at, at, false, false);
  }

  public Exit withReason(String because) {
    return new Exit(code, signal, because, message, startedAt, finishedAt, stopped, failedWithPod);
  }

  public Exit withMessage(String text) {
    return new Exit(code, signal, reason, text, startedAt, finishedAt, stopped, failedWithPod);
  }

  /**
   * Returns the exit as ended from outside, since the pod is deleted or the runner stops: it is no
   * failure of its own. An exit with success stays a success.
   */
  public Exit asStopped() {
    return new Exit(code, signal, reason, message, startedAt, finishedAt, code != 0, false);
  }

  /**
   * Returns the exit as a failure for the reason for which the whole pod fails, unless it has a
   * better one.
   */
  public Exit asFailed(String because, String text) {
    return code == 0 || isError()
        ? new Exit(code, signal, because, text, startedAt, finishedAt, false, true)
        : this;
  }
}
