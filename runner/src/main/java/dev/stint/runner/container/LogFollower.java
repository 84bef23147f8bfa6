package dev.stint.runner.container;

import dev.stint.runner.container.daemon.DaemonException;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Follows the log of a container until it is stopped. The daemon may be away meanwhile. For the
 * tasks of a {@link PodSandbox}.
 */
final class LogFollower {
  private static final Duration FOLLOW_AGAIN = Duration.ofSeconds(1);

  private final RuntimeContext shared;
  private final Executor serial;
  private final LogCopy copy;
  private boolean stopped;

  LogFollower(RuntimeContext shared, Executor serial, LogCopy copy) {
    this.shared = shared;
    this.serial = serial;
    this.copy = copy;
  }

  void start() {
    if (stopped) {
      return;
    }
    shared
        .threads()
        .execute(() -> {
          copy.follow();
          shared.after(FOLLOW_AGAIN, () -> serial.execute(this::start));
        });
  }

  /** Copies the rest of the log of a container that has ended. */
  void copyRest() throws DaemonException {
    copy.finish();
  }

  void stop() {
    stopped = true;
    copy.stop();
  }
}
