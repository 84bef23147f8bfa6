package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import dev.stint.runner.log.LogLimits;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a daemon keeps itself of what a container prints, until we have copied it: a bounded file,
 * whatever the daemon is set to, as else a container that prints without end fills the disk.
 */
public final class DaemonLog {
  /** As many limits of ours. */
  private static final int FILES = 3;

  /** A line of one byte is a hundred in the daemon's file, so that a limit is reached early. */
  private static final int MOST_OVERHEAD = 128;

  private DaemonLog() {}

  /** The {@code LogConfig} of a container that is created. */
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

  /** Of less than so many bytes that a container prints, nothing has been thrown away. */
  public static long wholeBytes(LogLimits limits) {
    return limits.attemptBytes() / MOST_OVERHEAD;
  }
}
