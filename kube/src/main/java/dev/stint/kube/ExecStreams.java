package dev.stint.kube;

import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a command in a container. The command ends if its output cannot be written.
 *
 * @param in its input; only read if it is requested
 * @param onUntoldEnd called when the input has ended, but the API server is too old to be told so
 * @param terminal the user's, if a terminal is requested; else null
 */
public record ExecStreams(
    InputStream in,
    OutputStream out,
    OutputStream err,
    Runnable onUntoldEnd,
    @Nullable ExecTerminal terminal) {
  /** Creates streams without a terminal. */
  public ExecStreams(InputStream in, OutputStream out, OutputStream err, Runnable onUntoldEnd) {
    this(in, out, err, onUntoldEnd, null);
  }
}
