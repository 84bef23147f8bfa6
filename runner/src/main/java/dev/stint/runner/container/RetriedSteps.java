package dev.stint.runner.container;

import dev.stint.cluster.Timers;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.process.command.ResourceExhaustion;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of one attempt; a step is repeated while the daemon or the disk is not available. Other
 * faults of files may pass once, as in the process runtime. Only tasks of the {@link PodSandbox}
 * use it.
 */
final class RetriedSteps {
  private static final Logger LOG = LoggerFactory.getLogger(RetriedSteps.class);

  /** A request to the daemon, repeated until the daemon is back. */
  @FunctionalInterface
  interface Step {
    void run() throws DaemonException, IOException;
  }

  private final Timers timers;
  private final InstantSource clock;
  private final Executor serial;
  private final Object attempt;
  private final Consumer<Exit> onFailure;
  private boolean closed;
  private int failures;
  private Runnable cancelRetry = () -> {};

  /**
   * @param serial runs the steps that are repeated
   * @param attempt describes the attempt, for log lines
   * @param onFailure receives the outcome of an attempt that cannot go on
   */
  RetriedSteps(
      Timers timers,
      InstantSource clock,
      Executor serial,
      Object attempt,
      Consumer<Exit> onFailure) {
    this.timers = timers;
    this.clock = clock;
    this.serial = serial;
    this.attempt = attempt;
    this.onFailure = onFailure;
  }

  void run(Step step) {
    run(step, true);
  }

  /**
   * @param first true if no file was in the way of this step before
   */
  private void run(Step step, boolean first) {
    if (closed) {
      return;
    }
    try {
      step.run();
    } catch (DaemonException fault) {
      if (fault.reason() == Reason.AWAY) {
        retry(fault.text(), () -> run(step, first));
      } else {
        onFailure.accept(Exit.startError(fault.text(), clock.instant()));
      }
    } catch (IOException fault) {
      if (first || ResourceExhaustion.isCause(fault)) {
        retry(fault.toString(), () -> run(step, false));
      } else {
        onFailure.accept(
            Exit.startError("cannot prepare the container: " + fault, clock.instant()));
      }
    } catch (RuntimeException fault) {
      LOG.error("Internal error in {}; reporting a failed start", attempt, fault);
      onFailure.accept(Exit.startError("internal error: " + fault.getMessage(), clock.instant()));
    }
  }

  /** Runs a task after a delay that grows with each failure. */
  void retry(String why, Runnable task) {
    failures++;
    if (failures == 1) {
      LOG.warn("Cannot continue with {}; retrying: {}", attempt, why);
    }
    runAfter(RetryDelays.REQUEST.delay(failures), task);
  }

  /** Runs a task after a delay, unless it is cancelled. */
  void runAfter(Duration delay, Runnable task) {
    cancelRetry = timers.after(delay, () -> serial.execute(task));
  }

  /** Resets the delay, since the attempt has made progress. */
  void resetFailures() {
    failures = 0;
  }

  void cancelRetry() {
    cancelRetry.run();
  }

  /** Runs no further step. */
  void close() {
    closed = true;
    cancelRetry.run();
  }
}
