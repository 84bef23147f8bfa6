package dev.stint.runner.container;

import dev.stint.runner.container.daemon.ContainerInspection;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ResourceLimits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds whether the container of an attempt has ended, and how. */
final class ContainerEnds {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerEnds.class);

  /**
   * The number of times that a daemon is asked about a container whose process is gone, before it
   * is given up.
   */
  private static final int MOST_DOUBTS = 6;

  private static final Duration BETWEEN_DOUBTS = Duration.ofSeconds(5);
  private static final int KILLED = 128 + Attempt.Signal.KILL.number();

  private final RuntimeContext shared;
  private final PodSandbox sandbox;
  private final ContainerRun run;
  private final Object attempt;
  private final Runnable askAgain;
  private int doubts;

  /**
   * @param attempt describes the attempt, for log lines
   * @param askAgain called on the sandbox's queue if the answer is in doubt
   */
  ContainerEnds(
      RuntimeContext shared,
      PodSandbox sandbox,
      ContainerRun run,
      Object attempt,
      Runnable askAgain) {
    this.shared = shared;
    this.sandbox = sandbox;
    this.run = run;
    this.attempt = attempt;
    this.askAgain = askAgain;
  }

  /**
   * Returns how a container ended, and copies the rest of its log; null if it has not.
   *
   * @param killed true if it was killed by us
   */
  @Nullable Exit find(AttemptPhase.Started started, boolean killed) throws DaemonException {
    ContainerInspection found = sandbox.inspect(started.id());
    if (found == null) {
      return unknown(
          started.startedAt(), "The container was removed by another client of the daemon");
    }
    return found.state() == ContainerInspection.State.ENDED
        ? of(started, found, killed)
        : checkProcess(started, found);
  }

  /**
   * Called when the daemon reports the container as running. Podman 4.3 may report that forever for
   * a container that ended while its service was being killed, so its process is checked.
   */
  private @Nullable Exit checkProcess(AttemptPhase.Started started, ContainerInspection found)
      throws DaemonException {
    if (!sandbox.hasLostProcess(found)) {
      doubts = 0;
      return null;
    }
    if (doubts < MOST_DOUBTS) {
      doubts++;
      var _ = shared.after(BETWEEN_DOUBTS, () -> sandbox.serial().execute(askAgain));
      return null;
    }
    LOG.warn(
        "The process of {} no longer exists, but the daemon reports it as running; the container"
            + " counts as failed",
        attempt);
    started.log().copyRest();
    return unknown(
        started.startedAt(),
        "The container's process no longer exists, and the daemon does not know how it ended");
  }

  /** Returns how a container ended that has, and copies the rest of its log. */
  Exit of(AttemptPhase.Started started, ContainerInspection found, boolean killed)
      throws DaemonException {
    started.log().copyRest();
    Exit exit = found.exit(shared.now());
    return !killed && isLikelyOutOfMemory(exit) ? exit.withReason(Exit.OOM_KILLED) : exit;
  }

  /**
   * True if the container likely ran out of memory, if the daemon cannot tell: it has a limit, and
   * was killed, and not by us.
   */
  private boolean isLikelyOutOfMemory(Exit exit) {
    return !shared.tellsOutOfMemory()
        && exit.code() == KILLED
        && ResourceLimits.of(run.container()).memory() != null;
  }

  /** Returns the end of a container of which it is not known how it ended. */
  Exit unknown(Instant startedAt, String why) {
    return new Exit(
        KILLED, null, "ContainerStatusUnknown", why, startedAt, shared.now(), false, false);
  }
}
