package dev.stint.kube;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * The streams of a command in a container. What cannot be written ends the command.
 *
 * @param in its input; only read if it is requested
 * @param onUntoldEnd called when the input has ended, but the API server is too old to be told so
 */
public record ExecStreams(
    InputStream in, OutputStream out, OutputStream err, Runnable onUntoldEnd) {}
