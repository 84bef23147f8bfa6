package dev.stint.runner.container;

import dev.stint.cluster.Timers;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.volume.HostPaths;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * The context that all pods of a runtime share.
 *
 * @param podman true if the daemon is Podman
 * @param tellsOutOfMemory true if the daemon knows which containers the system killed for lack of
 *     memory
 * @param threads run tasks that may wait; drop them once the runtime is closed
 * @param closed true once the runtime is closed
 * @param hostPaths the paths of the machine that pods may have as volumes
 * @param dataDir the data directory; its path identifies our containers
 * @param bootId the boot ID of the running machine
 */
record RuntimeContext(
    Daemon daemon,
    boolean podman,
    boolean tellsOutOfMemory,
    PauseImage pauseImage,
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
    HostPaths hostPaths,
    NamedPods named,
    String dataDir,
    String bootId) {
  Instant now() {
    return clock.instant();
  }

  /** Runs a task after a delay; the task must not wait. The handle's {@code run} cancels it. */
  Runnable after(Duration delay, Runnable task) {
    return timers.after(delay, task);
  }
}
