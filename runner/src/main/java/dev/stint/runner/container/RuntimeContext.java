package dev.stint.runner.container;

import dev.stint.cluster.Timers;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.log.LogTree;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * What all pods of a runtime share.
 *
 * @param podman whether the daemon is Podman
 * @param tellsOutOfMemory whether the daemon knows whom the system ended for want of memory
 * @param threads where tasks may wait; drops them once the runtime is closed
 * @param closed whether it is
 * @param dataDir by which our containers are known
 * @param bootId of the machine as it is running
 */
record RuntimeContext(
    Daemon daemon,
    boolean podman,
    boolean tellsOutOfMemory,
    PauseImage holderImage,
    ImagePuller images,
    ExitWatch watch,
    ContainerLogs attemptLogs,
    Executor threads,
    BooleanSupplier closed,
    InstantSource clock,
    Timers timers,
    Path podsDir,
    LogTree logs,
    LogLimits logLimits,
    String dataDir,
    String bootId) {
  Instant now() {
    return clock.instant();
  }

  /** Runs a task later, where it may not wait. The handle's {@code run} cancels it. */
  Runnable after(Duration delay, Runnable task) {
    return timers.after(delay, task);
  }
}
