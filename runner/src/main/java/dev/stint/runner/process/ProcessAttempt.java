package dev.stint.runner.process;

import dev.stint.model.ExponentialBackoff;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.isolation.MaskedParts;
import dev.stint.runner.process.shim.CommandKill;
import dev.stint.runner.process.shim.Shims;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.ProcessId;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.StopSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a container as a process group. All methods but those of {@link Attempt} run on the
 * watcher's thread.
 */
final class ProcessAttempt implements Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessAttempt.class);

  /** The time to wait for a shim that has not started its command yet and so would miss SIGTERM. */
  private static final Duration SHIM_START = Duration.ofMillis(10);

  /** The time to wait for a container that is still being arranged, and so would miss SIGTERM. */
  static final Duration ARRANGEMENT = Duration.ofMillis(100);

  /** Such times in a row. They grow, as each time all processes of the machine are looked at. */
  private static final ExponentialBackoff ARRANGEMENTS =
      new ExponentialBackoff(ARRANGEMENT, Duration.ofSeconds(3));

  /** The time that a command has to end by a kill, before its shim is killed with it. */
  private static final Duration KILL = Duration.ofSeconds(2);

  /** The time in which Stint learns that everything ends on this machine, itself included. */
  static final Duration DOUBT = Duration.ofSeconds(3);

  private final ProcessRuntime runtime;
  private final ContainerRun run;
  private final AttemptListener listener;
  private final Path logDir;
  private final CompletableFuture<Exit> end = new CompletableFuture<>();
  private ProcessState state = new ProcessState.New();
  private int restartCount;
  private @Nullable Exit previous;
  private Instant startedAt = Instant.EPOCH;

  /** True once its start was reported: a shim may end before its command begins. */
  private boolean started;

  /** The number of starts in a row that failed. */
  private int failures;

  private Runnable cancelRetry = () -> {};

  /** True once a signal was sent: the container is not to be started again. */
  private boolean signalled;

  /** Applied to the exit before it is recorded. */
  private UnaryOperator<Exit> recorded = UnaryOperator.identity();

  ProcessAttempt(ProcessRuntime runtime, ContainerRun run, AttemptListener listener) {
    this.runtime = runtime;
    this.run = run;
    this.listener = listener;
    this.restartCount = run.restartCount();
    this.logDir = runtime.logs().dir(run.pod());
  }

  @Override
  public void signal(Signal signal) {
    runtime.watcher().execute(() -> guard(() -> send(signal)));
  }

  @Override
  public void changeRecord(UnaryOperator<Exit> change) {
    runtime.watcher().execute(() -> recorded = change);
  }

  @Override
  public void markInterrupted() {
    runtime.watcher().execute(this::recordInterruption);
  }

  void begin() {
    record().add(this, logDir);
    guard(this::enter);
  }

  /** Runs a step of the attempt. An exception ends this attempt, but no other. */
  private void guard(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError fault) {
      LOG.error("Internal error in {}; killing it and reporting a failed start", this, fault);
      if (state instanceof ProcessState.Running running) {
        record().markLeaky(); // No shim ends what left the group.
        CommandKill.killWithShim(running.group());
      }
      state.dir().ifPresent(dir -> runtime.keptLogs().unwatch(logs(dir), false));
      state = new ProcessState.Over();
      report(Exit.startError("internal error: " + fault.getMessage(), now()));
    }
  }

  /**
   * Takes over what an earlier life left, or starts. A record that cannot be read is read again:
   * the command may still run, and must not run twice.
   */
  private void enter() {
    try {
      Optional<AttemptHistoryOnDisk> history =
          record().isRead(run.name()) ? Optional.empty() : runtime.leftoverAttempts().history(run);
      if (history.isPresent()) {
        adopt(history.get());
      } else {
        startNext();
      }
      record().markRead(run.name());
      if (signalled && state instanceof ProcessState.Running) {
        send(Signal.TERM);
      }
    } catch (IOException fault) {
      enterLater(fault);
    }
  }

  private void enterLater(IOException fault) {
    state = new ProcessState.New();
    if (failures++ == 0) {
      LOG.warn("Cannot read the record of {}; trying again: {}", this, fault.toString());
    }
    cancelRetry =
        runtime.after(
            RetryDelays.REQUEST.delay(failures),
            () -> {
              if (!(state instanceof ProcessState.Over)) {
                guard(this::enter);
              }
            });
  }

  /** Signals the command, or cancels a start that is still being retried. */
  void send(Signal signal) {
    signalled |= !(state instanceof ProcessState.Over);
    switch (state) {
      case ProcessState.New _ when signal == Signal.TERM -> {} // It may run: its record will tell.
      case ProcessState.New _, ProcessState.Starting _ -> {
        cancelRetry.run();
        finishUnstarted();
      }
      case ProcessState.Filling _ -> {} // It ends when its volumes are filled.
      case ProcessState.Running running when signal == Signal.TERM && running.isBeginning() ->
          runtime.after(SHIM_START, () -> guard(() -> send(signal)));
      case ProcessState.Running running -> send(signal, running);
      case ProcessState.InDoubt(_, Exit exit, boolean silent) -> finish(exit, silent);
      case ProcessState.Over _ -> {}
    }
  }

  private void send(Signal signal, ProcessState.Running running) {
    if (running.killed() && signal != Signal.KILL) {
      return;
    }
    runtime.launcher().markSignalled(running.group());
    int number = signal == Signal.TERM ? StopSignal.number(run.container()) : signal.number();
    if (number == Signal.KILL.number() && !running.isBeginning()) {
      runtime.commandKill().kill(running.group());
      if (!running.killed()) {
        state = running.asKilled();
        killAgainLater();
      }
    } else if (number == Signal.KILL.number()) {
      Posix.kill(-running.group(), number);
    } else if (MaskedParts.hidesProcesses(running.directory())) {
      signalOnceArranged(number, 1);
    } else {
      runtime.commandKill().signal(running.group(), number);
    }
  }

  /**
   * Signals a command that may still be arranged, which may take until it is killed.
   *
   * @param time 1 for the first time
   */
  private void signalOnceArranged(int number, int time) {
    if (state instanceof ProcessState.Running running && !running.killed()) {
      Runnable again = () -> guard(() -> signalOnceArranged(number, time + 1));
      Runnable later = () -> runtime.after(ARRANGEMENTS.delay(time), again);
      runtime.commandKill().signal(running.group(), number, running.directory(), later);
    }
  }

  private void killAgainLater() {
    runtime.after(KILL, () -> guard(this::killAgain));
  }

  /**
   * Kills a command that has outlived its kill, with its shim: a command that starts processes
   * faster than they can be looked up ends only by a signal to the whole group.
   */
  private void killAgain() {
    if (state instanceof ProcessState.Running running) {
      LOG.warn("{} has outlived its kill; killing its whole process group", this);
      record().markLeaky(); // No shim ends what left the group.
      CommandKill.killWithShim(running.group());
      killAgainLater();
    }
  }

  /** True if this is the attempt of a container that has a number. */
  boolean matches(String container, int number) {
    return run.name().equals(container)
        && state.dir().filter(dir -> dir.number() == number).isPresent();
  }

  /** Returns its log; empty if nothing was started yet. */
  Optional<LogFiles> logs() {
    return state.dir().map(this::logs);
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
    AttemptDir dir = history.latest();
    restartCount = history.restartCount();
    previous = history.previous();
    record().markUsed(run.name(), dir.number());
    state = new ProcessState.Starting(dir);
    switch (runtime.leftoverAttempts().state(dir, run)) {
      case Leftovers.State.Ended(Exit exit) -> {
        runtime.keptLogs().watch(run, logs(dir)); // It may be over the limit.
        reportStart(runtime.leftId(run, dir), exit.startedAt());
        finish(exit);
      }
      case Leftovers.State.Running(int group) -> takeOver(dir, group);
      case Leftovers.State.Lost _ when run.repeatsLost() -> {
        LOG.info(
            "Attempt {} of {} was lost with the machine; running it again", dir.number(), this);
        dir.markInterrupted();
        startNext();
      }
      case Leftovers.State.Lost _ -> {
        Exit lost = outcome(dir).record(Exit.lost(dir.startedAt(now()), now()));
        reportStart(runtime.leftId(run, dir), lost.startedAt());
        finish(lost);
      }
      case Leftovers.State.Unfinished(String why) -> {
        runtime.leftoverAttempts().kill(dir);
        LOG.info("Attempt {} of {} {}; running it again", dir.number(), this, why);
        startNext();
      }
    }
  }

  private void takeOver(AttemptDir dir, int group) throws IOException {
    Instant begun = dir.startedAt(now());
    state = new ProcessState.Running(dir, group, false);
    runtime.watcher().watch(group, () -> guard(() -> onAdoptedShimEnd(dir)));
    runtime.keptLogs().watch(run, logs(dir));
    reportStart(runtime.id(run, dir), begun);
  }

  private void startNext() {
    if (signalled) {
      finishUnstarted();
    } else if (run.adoptOnly()) {
      finish(Exit.neverStarted("The container's outcome was lost", now()));
    } else {
      started = false;
      failures = 0;
      start(runtime.attemptDir(run, record().nextNumber(run.name())));
    }
  }

  private void start(AttemptDir dir) {
    boolean arranged = runtime.launcher().isArranged(run);
    if (arranged) {
      // The pod's directory holds volumes and more from now on: another pod cannot take it over.
      record().markArranged();
    }
    if (arranged && runtime.launcher().needsFiles(run)) {
      state = new ProcessState.Filling(dir);
      record()
          .queue(() -> fill(dir), runtime.fillers())
          .handle((fault, noThread) -> noThread == null ? fault : hindered(noThread))
          .thenAccept(fault -> runtime.watcher().execute(() -> guard(() -> onFilled(fault))));
    } else {
      state = new ProcessState.Starting(dir);
      onLaunchResult(dir, launch(dir));
    }
  }

  /** Fills the volumes, and returns why that failed; on another thread. */
  private Optional<Exception> fill(AttemptDir dir) {
    try {
      dir.createPodDir();
      runtime.launcher().makeFiles(run);
      return Optional.empty();
    } catch (IOException | Command.NotStartable | RuntimeException fault) {
      return Optional.of(fault);
    } catch (OutOfMemoryError | StackOverflowError fault) {
      return Optional.of(new IllegalStateException(fault));
    }
  }

  private static Optional<Exception> hindered(Throwable noThread) {
    return Optional.of(new IOException(noThread));
  }

  private void onFilled(Optional<Exception> fault) {
    if (!(state instanceof ProcessState.Filling(AttemptDir dir))) {
      return;
    }
    state = new ProcessState.Starting(dir);
    if (signalled) {
      finishUnstarted();
    } else {
      onLaunchResult(
          dir, fault.map(why -> LaunchResult.of(why, failures == 0)).orElseGet(() -> launch(dir)));
    }
  }

  private void finishUnstarted() {
    finish(Exit.neverStarted("The container was stopped before it could be started", now()));
  }

  private LaunchResult launch(AttemptDir dir) {
    boolean first = failures == 0;
    try {
      return LaunchResult.of(
          runtime.launcher().launch(run, dir, logs(dir), first, how -> guard(() -> onEnd(how))));
    } catch (IOException | Command.NotStartable fault) {
      return LaunchResult.of(fault, first);
    }
  }

  private void onLaunchResult(AttemptDir dir, LaunchResult result) {
    switch (result) {
      case LaunchResult.Launched(int group) -> onLaunched(dir, group);
      case LaunchResult.Hindered(String why) -> retry(dir, why);
      case LaunchResult.NotYet(String reason, String message) -> {
        listener.onWaiting(reason, message);
        startAfter(RetryDelays.PREPARATION, dir);
      }
      case LaunchResult.Impossible(String message) -> failToStart(dir, message);
    }
  }

  private void onLaunched(AttemptDir dir, int group) {
    state = new ProcessState.Running(dir, group, true);
    if (!started) {
      runtime.keptLogs().watch(run, logs(dir));
      reportStart(runtime.id(run, dir), now());
    }
  }

  private void retry(AttemptDir dir, String why) {
    if (failures == 0) {
      LOG.warn("Cannot start {}; retrying: {}", this, why);
    }
    startAfter(RetryDelays.REQUEST, dir);
  }

  private void startAfter(ExponentialBackoff delays, AttemptDir dir) {
    failures++;
    cancelRetry =
        runtime.after(
            delays.delay(failures),
            () -> {
              if (!(state instanceof ProcessState.Over)) {
                guard(() -> start(dir));
              }
            });
  }

  private void failToStart(AttemptDir dir, String message) {
    try {
      dir.create();
    } catch (IOException fault) {
      LOG.debug("Cannot create the directory of {}: {}", this, fault.toString());
    }
    finish(outcome(dir).record(Exit.startError(message, now())));
  }

  private void onEnd(Shims.End how) {
    if (state instanceof ProcessState.Running running) {
      onEnd(running.directory(), how);
    }
  }

  private void onEnd(AttemptDir dir, Shims.End how) {
    switch (how) {
      case Shims.End.Reported(int code, boolean silent, boolean withShim, _) ->
          finishOrDoubt(dir, outcome(dir).ofReport(code), silent, withShim);
      case Shims.End.WithShim(Optional<Posix.WaitStatus> status) -> {
        record().markLeaky(); // No shim has ended what left the group.
        if (signalled || dir.isUnderWay()) {
          finishOrDoubt(dir, outcome(dir).withoutReport(status), false, true);
        } else {
          state = new ProcessState.Starting(dir);
          retry(dir, "its shim ended before the command began");
        }
      }
    }
  }

  /**
   * Reports the outcome, at once or when it is clear whether it counts. A success always counts.
   *
   * @param withShim true if the shim was told to end, too, or has ended
   */
  private void finishOrDoubt(AttemptDir dir, Exit exit, boolean silent, boolean withShim) {
    if (withShim && !signalled && exit.isError()) {
      forgetGroup();
      state = new ProcessState.InDoubt(dir, exit, silent);
      runtime.after(DOUBT, () -> guard(this::endDoubt));
    } else {
      finish(withShim ? outcome(dir).record(exit) : exit, silent);
    }
  }

  /** Reports the outcome: Stint goes on, so the attempt alone was ended, and that counts. */
  private void endDoubt() {
    if (state instanceof ProcessState.InDoubt(AttemptDir dir, Exit exit, boolean silent)) {
      finish(outcome(dir).record(exit), silent);
    }
  }

  private void forgetGroup() {
    if (state instanceof ProcessState.Running running) {
      runtime.commandKill().forget(running.group());
    }
  }

  /** Called when the shim of an earlier life has ended, and with it the attempt. */
  private void onAdoptedShimEnd(AttemptDir dir) {
    if (state instanceof ProcessState.Over) {
      return;
    }
    try {
      dir.identity().ifPresent(Leftovers::killGroup);
      onAdoptedEnd(dir, dir.exit());
    } catch (IOException fault) {
      LOG.warn("Cannot read the outcome of {}; treating it as killed: {}", this, fault.toString());
      finish(outcome(dir).ofKill());
    }
  }

  private void onAdoptedEnd(AttemptDir dir, Optional<Exit> exit) throws IOException {
    if (exit.isPresent()) {
      finishOrDoubt(dir, exit.get(), false, dir.wasStopped());
    } else if (signalled) {
      AttemptOutcome outcome = outcome(dir);
      finish(outcome.record(outcome.ofKill()));
    } else {
      LOG.info("{} ended without an outcome; running it again", this);
      runtime.keptLogs().unwatch(logs(dir), false);
      state = new ProcessState.Starting(dir);
      startNext();
    }
  }

  private AttemptOutcome outcome(AttemptDir dir) {
    return new AttemptOutcome(this, dir, startedAt, runtime.clock());
  }

  private void recordInterruption() {
    if (state instanceof ProcessState.Running || state instanceof ProcessState.InDoubt) {
      try {
        state.dir().orElseThrow().markInterrupted();
      } catch (IOException fault) {
        LOG.error(
            "Cannot mark {} as interrupted; its exit will count as a failure: {}",
            this,
            fault.toString());
      }
    }
  }

  private void reportStart(ProcessId id, Instant at) {
    started = true;
    startedAt = at;
    String address = runtime.ownAddress(uid()).orElse(null);
    listener.onStarted(
        new StartedContainer(id.toString(), restartCount, at, previous, "", address));
  }

  /** Adds the pods to its hosts file that have started since it did. */
  void updateHosts() {
    state
        .dir()
        .ifPresent(dir -> {
          try {
            runtime.launcher().updateHosts(run, dir);
          } catch (IOException fault) {
            LOG.warn(
                "Cannot update the hosts file of {}; it cannot resolve pods that start later: {}",
                this,
                fault.toString());
          }
        });
  }

  private void finish(Exit exit) {
    finish(exit, false);
  }

  /**
   * Reports the outcome.
   *
   * @param silent true if it is known that nothing was printed
   */
  private void finish(Exit exit, boolean silent) {
    Optional<AttemptDir> dir = state.dir();
    forgetGroup();
    state = new ProcessState.Over();
    report(dir.isPresent() ? release(dir.get(), exit, silent) : exit);
  }

  private void report(Exit exit) {
    if (end.complete(exit)) {
      listener.onExited(exit);
      runtime.onAttemptEnd(this, uid());
    }
  }

  private Exit release(AttemptDir dir, Exit exit, boolean knownSilent) {
    LogFiles logs = logs(dir);
    boolean silent = knownSilent || logs.isSilent();
    runtime.keptLogs().unwatch(logs, silent);
    Exit known = runtime.launcher().release(run, dir, logs, exit);
    Exit full = signalled ? known : runtime.launcher().explained(run, dir, logs, known);
    record().markSilent(silent);
    runtime.keptLogs().recordEnd(run, logs, recorded.apply(full), silent);
    return full;
  }

  private PodRecord record() {
    return runtime.record(uid());
  }

  private String uid() {
    return run.pod().uid();
  }

  private Instant now() {
    return runtime.clock().instant();
  }
}
