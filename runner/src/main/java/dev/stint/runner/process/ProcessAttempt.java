package dev.stint.runner.process;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.shim.Shims;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.runtime.StartedContainer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a container as a process group. All methods but those of {@link Attempt} run on the
 * edge's thread.
 */
final class ProcessAttempt implements Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessAttempt.class);

  /** The time to wait for a shim that has not started its command yet and so would miss SIGTERM. */
  private static final Duration SHIM_START = Duration.ofMillis(10);

  /**
   * The C library's texts for ENOSPC, EDQUOT, EMFILE and ENOMEM; Java's exceptions hold nothing
   * else.
   */
  private static final List<String> SHORTAGES =
      List.of(
          "No space left on device",
          "Disk quota exceeded",
          "Too many open files",
          "Cannot allocate memory");

  private final ProcessRuntime runtime;
  private final ContainerRun run;
  private final AttemptListener listener;
  private int restartCount;
  private @Nullable Exit previous;
  private final Path logDir;
  private @Nullable AttemptDir dir;
  private int pid;
  private boolean child;
  private boolean again;
  private boolean ending;
  private boolean stopped;
  private boolean over;
  private boolean silent;
  private int failures;
  private Instant startedAt = Instant.EPOCH;
  private Runnable cancelRetry = () -> {};
  private final CompletableFuture<Exit> end = new CompletableFuture<>();

  ProcessAttempt(ProcessRuntime runtime, ContainerRun run, AttemptListener listener) {
    this.runtime = runtime;
    this.run = run;
    this.listener = listener;
    this.restartCount = run.restartCount();
    this.logDir = runtime.logs().dir(run.pod());
  }

  @Override
  public void signal(Signal signal) {
    runtime.edge().execute(() -> send(signal));
  }

  @Override
  public void markStopped() {
    runtime.edge().execute(() -> stopped = true);
  }

  @Override
  public void markInterrupted() {
    runtime.edge().execute(this::recordInterruption);
  }

  void begin() {
    record().add(this, logDir);
    try {
      Optional<AttemptHistoryOnDisk> history = runtime.history(run);
      if (history.isPresent()) {
        adopt(history.get());
      } else {
        spawnNext();
      }
    } catch (IOException fault) {
      LOG.warn("the record of {} is not readable ({}); starting anew", this, fault.toString());
      spawnNext();
    } catch (RuntimeException fault) {
      LOG.error("{} can't be started", this, fault);
      finish(Exit.startError("an internal fault: " + fault.getMessage(), now()));
    }
  }

  /** Signals the group, or cancels a start that is still being retried. */
  void send(Signal signal) {
    if (over) {
      return;
    }
    ending = true;
    if (pid == 0) {
      cancelRetry.run();
      finish(Exit.neverStarted("The container was to end before it could be started", now()));
    } else if (signal == Signal.TERM && child && !directory().isUnderWay()) {
      runtime.after(SHIM_START, () -> send(signal));
    } else {
      runtime.signalled(pid);
      Posix.kill(-pid, signal.number());
    }
  }

  boolean is(String container, int number) {
    return run.name().equals(container) && dir != null && dir.number() == number;
  }

  /** Returns its log; empty if nothing was started yet. */
  Optional<LogFiles> logs() {
    return Optional.ofNullable(dir).map(this::logs);
  }

  private LogFiles logs(AttemptDir of) {
    return new LogFiles(logDir, run.name(), of.number());
  }

  /** Completes with the outcome, once there is one. */
  CompletableFuture<Exit> end() {
    return end.copy();
  }

  @Override
  public String toString() {
    return "container " + run.name() + " of " + run.pod().ref() + " (uid " + uid() + ")";
  }

  private void adopt(AttemptHistoryOnDisk history) throws IOException {
    AttemptDir found = history.latest();
    restartCount = history.restartCount();
    previous = history.previous();
    record().used(run.name(), found.number());
    dir = found;
    if (!found.isInterrupted()) {
      // Asked in this order, since the shim writes the outcome before it ends.
      boolean running = runtime.runs(found);
      Optional<Exit> exit = found.exit();
      if (exit.isPresent()) {
        runtime.keptLogs().watch(run, logs(found)); // It may be over the limit.
        started(exit.get().startedAt());
        finish(exit.get());
        return;
      }
      if (running) {
        takeOver(found);
        return;
      }
      if (runtime.lost(found)) {
        Exit lost = Exit.lost(found.startedAt(now()), now());
        writeDown(lost);
        started(lost.startedAt());
        finish(lost);
        return;
      }
    }
    runtime.killLeftover(found);
    LOG.info(
        "attempt {} of {} {}; it is run again in the same pod",
        found.number(),
        this,
        found.isInterrupted() ? "was interrupted" : "left no outcome");
    spawnNext();
  }

  private void takeOver(AttemptDir found) throws IOException {
    pid = found.identity().orElseThrow().pid();
    runtime.edge().watch(pid, this::adoptedEnded);
    runtime.keptLogs().watch(run, logs(found));
    started(found.startedAt(now()));
  }

  private void spawnNext() {
    if (run.adoptOnly() || ending) {
      finish(Exit.neverStarted("The container's outcome was lost", now()));
      return;
    }
    dir = runtime.attemptDir(run, record().nextNumber(run.name()));
    spawn();
  }

  private void spawn() {
    try {
      AttemptDir to = directory();
      int result = runtime.spawn(run, to, logs(to), failures == 0, this::ended);
      if (result > 0) {
        pid = result;
        child = true;
        if (!again) {
          runtime.keptLogs().watch(run, logs(to));
          started(now());
        }
      } else if (Posix.isShortage(-result)) {
        retry("errno " + -result);
      } else {
        notStartable("cannot run the command: errno " + -result);
      }
    } catch (Command.NotYetStartable fault) {
      listener.onWaiting(fault.reason(), String.valueOf(fault.getMessage()));
      failures++;
      tryAgainAfter(RetryDelays.PREPARATION.delay(failures));
    } catch (Command.NotStartable fault) {
      notStartable(String.valueOf(fault.getMessage()));
    } catch (IOException fault) {
      if (failures == 0 || passes(fault)) {
        retry(fault.toString());
      } else {
        notStartable("cannot prepare the container: " + fault);
      }
    }
  }

  /** True if the machine lacks some resource, which may pass. */
  private static boolean passes(IOException fault) {
    String text = fault.toString();
    return SHORTAGES.stream().anyMatch(text::contains);
  }

  private void retry(String why) {
    failures++;
    if (failures == 1) {
      LOG.warn("{} can't be started now ({}), trying again", this, why);
    }
    tryAgainAfter(RetryDelays.REQUEST.delay(failures));
  }

  private void tryAgainAfter(Duration delay) {
    cancelRetry =
        runtime.after(
            delay,
            () -> {
              if (!over) {
                spawn();
              }
            });
  }

  private void notStartable(String message) {
    Exit exit = Exit.startError(message, now());
    try {
      directory().create();
    } catch (IOException fault) {
      LOG.warn("the outcome of {} could not be written down: {}", this, fault.toString());
    }
    writeDown(exit);
    finish(exit);
  }

  private void ended(Shims.End end) {
    switch (end) {
      case Shims.End.Reported(int code, boolean nothingPrinted) -> {
        silent = nothingPrinted;
        finish(reported(code));
      }
      case Shims.End.WithShim(Optional<Posix.WaitStatus> status) -> {
        if (ending || directory().isUnderWay()) {
          finish(written().orElseGet(() -> endedWith(status)));
        } else {
          again = true;
          pid = 0;
          child = false;
          retry("its shim ended before the command began");
        }
      }
    }
  }

  /** Called when the shim of an earlier life has ended, and with it the attempt. */
  private void adoptedEnded() {
    try {
      AttemptDir of = directory();
      of.identity().ifPresent(ProcessRuntime::killGroup);
      adoptedEnded(of.exit());
    } catch (IOException fault) {
      LOG.warn("the outcome of {} is not readable: {}", this, fault.toString());
      finish(killed());
    }
  }

  private void adoptedEnded(Optional<Exit> exit) {
    if (exit.isPresent()) {
      finish(exit.get());
    } else if (ending) {
      Exit killed = killed();
      writeDown(killed);
      finish(killed);
    } else {
      LOG.info("{} ended without an outcome; it is run again in the same pod", this);
      runtime.keptLogs().unwatch(logs(directory()), false);
      pid = 0;
      spawnNext();
    }
  }

  /**
   * Returns the outcome that the shim has written if the code is 126 or 127: it may hold a message.
   */
  private Exit reported(int code) {
    Exit plain = Exit.of(code, null, startedAt, now());
    return code == 126 || code == 127 ? written().orElse(plain) : plain;
  }

  /** Returns the outcome of an attempt whose whole group was killed, with its shim. */
  private Exit endedWith(Optional<Posix.WaitStatus> status) {
    Exit exit =
        status
            .filter(Posix.WaitStatus::signalled)
            .map(how -> Exit.of(how.code(), how.signal(), startedAt, now()))
            .orElseGet(this::killed);
    writeDown(exit);
    return exit;
  }

  private Optional<Exit> written() {
    try {
      return directory().exit();
    } catch (IOException fault) {
      LOG.warn("the outcome of {} is not readable: {}", this, fault.toString());
      return Optional.empty();
    }
  }

  private Exit killed() {
    int signal = Signal.KILL.number();
    return Exit.of(128 + signal, signal, startedAt, now());
  }

  private void writeDown(Exit exit) {
    try {
      directory().write(exit);
    } catch (IOException fault) {
      LOG.warn("the outcome of {} could not be written down: {}", this, fault.toString());
    }
  }

  private void recordInterruption() {
    if (!over && pid != 0) {
      try {
        directory().markInterrupted();
      } catch (IOException fault) {
        LOG.error("{} could not be marked as interrupted: {}", this, fault.toString());
      }
    }
  }

  private void started(Instant at) {
    startedAt = at;
    String id = "process://" + uid() + "/" + run.name() + "/" + directory().number();
    listener.onStarted(new StartedContainer(id, restartCount, at, previous));
  }

  private void finish(Exit exit) {
    over = true;
    Exit full = exit;
    if (dir != null) {
      LogFiles logs = logs(dir);
      silent = silent || logs.isSilent();
      runtime.keptLogs().unwatch(logs, silent);
      full = runtime.completed(run, dir, logs, exit);
      record().markSilent(silent);
      runtime.keptLogs().noteEnd(run, logs, stopped ? full.asStopped() : full, silent);
    }
    listener.onExited(full);
    runtime.ended(this, uid());
    end.complete(full);
  }

  private PodRecord record() {
    return runtime.record(uid());
  }

  private AttemptDir directory() {
    if (dir == null) {
      throw new IllegalStateException(this + " has no directory yet");
    }
    return dir;
  }

  private String uid() {
    return run.pod().uid();
  }

  private Instant now() {
    return runtime.clock().instant();
  }
}
