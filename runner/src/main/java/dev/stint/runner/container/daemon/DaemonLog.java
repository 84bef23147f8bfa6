package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import dev.stint.runner.log.LogLimits;
import tools.jackson.databind.node.ObjectNode;

/**
 * The daemon's own copy of a container's log, until we have copied it. It is a bounded file
 * whatever the daemon's settings; otherwise a container that prints without end would fill the
 * disk.
 */
public final class DaemonLog {
  /** The daemon keeps this multiple of our own limit. */
  private static final int FILES = 3;

  /**
   * A line of one byte takes a hundred in the daemon's file, so that its limit is reached early.
   */
  private static final int MOST_OVERHEAD = 128;

  private DaemonLog() {}

  /** Returns the {@code LogConfig} of a new container. */
  static ObjectNode config(LogLimits limits, boolean podman) {
    ObjectNode config = Json.object().put("Type", podman ? "k8s-file" : "json-file");
    long bytes = limits.attemptBytes();
    if (podman) {
      config.putObject("Config").put("max-size", String.valueOf(FILES * bytes));
    } else {
      config
          .putObject("Config")
          .put("max-size", String.valueOf(bytes))
          .put("max-file", String.valueOf(FILES));
    }
    return config;
  }

  /** Returns the size below which the daemon never truncates the log. */
  public static long wholeBytes(LogLimits limits) {
    return limits.attemptBytes() / MOST_OVERHEAD;
  }
}
