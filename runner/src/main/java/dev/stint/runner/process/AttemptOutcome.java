package dev.stint.runner.process;

import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds how an attempt ended, and records it where its shim could not.
 *
 * @param attempt describes the attempt, for log lines
 */
record AttemptOutcome(Object attempt, AttemptDir dir, Instant startedAt, InstantSource clock) {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptOutcome.class);
  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;

  /**
   * Returns the outcome that a shim reported. It has recorded that, too; the record is read only if
   * it may hold a message.
   */
  Exit ofReport(int code) {
    Exit plain = Exit.of(code, null, startedAt, clock.instant());
    return code == NOT_EXECUTABLE || code == NOT_FOUND ? readRecord().orElse(plain) : plain;
  }

  /** Returns the outcome of an attempt whose shim ended without a report; it may lack a record. */
  Exit withoutReport(Optional<Posix.WaitStatus> shim) {
    return readRecord().orElseGet(() -> endOf(shim));
  }

  /** Returns the end of an attempt whose whole group was killed, with its shim. */
  private Exit endOf(Optional<Posix.WaitStatus> shim) {
    return shim.filter(Posix.WaitStatus::isSignalled)
        .map(how -> Exit.of(how.code(), how.signal(), startedAt, clock.instant()))
        .orElseGet(this::ofKill);
  }

  /** Returns the outcome of a killed attempt. */
  Exit ofKill() {
    int signal = Attempt.Signal.KILL.number();
    return Exit.of(128 + signal, signal, startedAt, clock.instant());
  }

  private Optional<Exit> readRecord() {
    try {
      return dir.exit();
    } catch (IOException fault) {
      LOG.warn(
          "Cannot read the outcome of {}; treating it as killed: {}", attempt, fault.toString());
      return Optional.empty();
    }
  }

  /** Records an outcome, and returns it. */
  Exit record(Exit exit) {
    try {
      dir.write(exit);
    } catch (IOException fault) {
      LOG.warn(
          "Cannot record the outcome of {}; a restart of stint before its status is written would"
              + " run it again: {}",
          attempt,
          fault.toString());
    }
    return exit;
  }
}
