package dev.stint.runner.container;

import dev.stint.runner.container.daemon.ContainerInspection;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.ContainerSpec;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.container.daemon.ImageRef;
import dev.stint.runner.container.daemon.LocalImage;
import dev.stint.runner.env.EnvFileException;
import dev.stint.runner.env.EnvironmentException;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.StopSignal;
import dev.stint.runner.volume.VolumeFault;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a container by the daemon. All methods but those of {@link Attempt} are for tasks of
 * the {@link PodSandbox} only.
 */
final class ContainerAttempt implements Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerAttempt.class);

  /**
   * The time between two looks whether the daemon is there to end an interrupted attempt that is to
   * be killed. A daemon that is being started again is back by then.
   */
  static final Duration PATIENCE = Duration.ofSeconds(3);

  private final RuntimeContext shared;
  private final PodSandbox sandbox;
  private final ContainerRun run;
  private final AttemptListener listener;
  private final CompletableFuture<Exit> end = new CompletableFuture<>();
  private final RetriedSteps steps;
  private final ImageRequest image;
  private final ContainerFactory containers;
  private final ContainerEnds ends;
  private AttemptPhase phase = new AttemptPhase.Preparing(null);
  private int restartCount;
  private @Nullable Exit previous;

  /** The strongest signal that was sent; once there is one, nothing is started any more. */
  private @Nullable Signal sent;

  private boolean interrupted;

  /** True if the container of the last attempt was removed, so that the one before tells an end. */
  private boolean withoutLast;

  /** True if it is looked from time to time whether the daemon is there. */
  private boolean looking;

  /** Applied to the exit before it is recorded. */
  private UnaryOperator<Exit> recorded = UnaryOperator.identity();

  private int preparations;

  ContainerAttempt(
      RuntimeContext shared, PodSandbox sandbox, ContainerRun run, AttemptListener listener) {
    this.shared = shared;
    this.sandbox = sandbox;
    this.run = run;
    this.listener = listener;
    this.restartCount = run.restartCount();
    this.steps =
        new RetriedSteps(shared.timers(), shared.clock(), sandbox.serial(), this, this::finish);
    this.image = new ImageRequest(shared, sandbox.serial(), run, listener);
    this.containers = new ContainerFactory(shared, sandbox, run);
    this.ends = new ContainerEnds(shared, sandbox, run, this, this::checkEnd);
  }

  @Override
  public void signal(Signal signal) {
    sandbox.serial().execute(() -> send(signal));
  }

  @Override
  public void changeRecord(UnaryOperator<Exit> change) {
    sandbox.serial().execute(() -> recorded = change);
  }

  @Override
  public void markInterrupted() {
    sandbox
        .serial()
        .execute(() -> {
          interrupted = true;
          recordInterruption();
          lookForDaemon();
        });
  }

  void begin() {
    sandbox.add(this);
    steps.run(this::enter);
  }

  /** True if this container runs. */
  boolean isRunning(String container) {
    return phase instanceof AttemptPhase.Started && run.name().equals(container);
  }

  /** Returns its ID at the daemon, once it has one. */
  Optional<String> id() {
    return Optional.ofNullable(phase.id());
  }

  /** Returns its number, once it has one; -1 before. */
  int number() {
    ContainerLabels labels = phase.labels();
    return labels == null ? -1 : labels.attempt();
  }

  /** Completes with the outcome, once there is one. */
  CompletableFuture<Exit> end() {
    return end.copy();
  }

  /** Called when the container was removed with the pod. */
  void onRemoved() {
    int signal = Signal.KILL.number();
    finish(Exit.of(128 + signal, signal, startedAt(), shared.now()));
  }

  @Override
  public String toString() {
    return "container " + run.name() + " of " + run.pod().ref() + " (uid " + run.pod().uid() + ")";
  }

  /**
   * Continues with what an earlier life left, or begins. Repeated as a whole if the daemon goes
   * away in between: what was left must not be forgotten then, or a second attempt would run beside
   * it.
   */
  private void enter() throws DaemonException {
    List<Daemon.Listed> left = sandbox.history(run.name());
    if (left.isEmpty()) {
      prepare();
    } else {
      adopt(left);
    }
    sandbox.markEntered(run.name());
  }

  private void adopt(List<Daemon.Listed> left) throws DaemonException {
    Daemon.Listed latest = left.getLast();
    ContainerLabels known = latest.labels();
    sandbox.markUsed(run.name(), known.attempt());
    restartCount = known.restartCount();
    previous = sandbox.lastExit(left.subList(0, left.size() - 1));
    ContainerInspection found = sandbox.inspect(latest.id());
    boolean interrupted = sandbox.isInterrupted(known);
    boolean repeated = run.repeatsLost() && isLost(known, found);
    if (found != null
        && !interrupted
        && !repeated
        && found.state() != ContainerInspection.State.CREATED) {
      takeOver(known, found);
      return;
    }
    String why =
        interrupted
            ? "was interrupted"
            : repeated ? "was lost with the machine" : "left no outcome";
    LOG.info("Attempt {} of {} {}; running it again", known.attempt(), this, why);
    shared.daemon().remove(latest.id());
    withoutLast = true;
    prepare();
  }

  /** True if a restart of the machine took it. */
  private boolean isLost(ContainerLabels known, @Nullable ContainerInspection found) {
    return found != null
        && found.state() != ContainerInspection.State.RUNNING
        && !known.bootId().equals(shared.bootId());
  }

  /** Takes over a container that runs, or has ended meanwhile. */
  private void takeOver(ContainerLabels known, ContainerInspection found) throws DaemonException {
    AttemptPhase.Created created = new AttemptPhase.Created(found.id(), known);
    phase = created;
    Instant at = found.startedAt() == null ? shared.now() : found.startedAt();
    boolean runs = found.state() == ContainerInspection.State.RUNNING;
    PodSandbox.Pause pause = runs ? sandbox.pauseContainer(run) : null;
    String imageId = shared.images().id(found.image());
    AttemptPhase.Started started = containers.started(created, at, found.stopSignal());
    reportStart(started, imageId, pause == null ? null : pause.address());
    if (runs) {
      watch(found.id());
      followLog(started);
      // It may have ended since it was inspected.
      checkEnd();
    } else if (known.bootId().equals(shared.bootId())) {
      checkEnd(); // A step of its own: it is repeated with the same copy of the log.
    } else {
      finish(Exit.lost(at, shared.now()));
    }
  }

  /** Gets the image, and continues with {@link #create}. */
  private void prepare() {
    if (isOver()) {
      return;
    }
    if (run.adoptOnly() || sent != null) {
      finish(Exit.neverStarted("The container's outcome was lost", shared.now()));
    } else {
      image.send(new WithImage());
    }
  }

  /** Continues when there is an image, or an answer that there is none. */
  private final class WithImage implements ImageRequest.Answer {
    @Override
    public void onImage(ImageRef ref, LocalImage found) {
      steps.run(() -> create(ref, found));
    }

    @Override
    public void onDaemonAway(String why) {
      steps.retry(why, ContainerAttempt.this::prepare);
    }

    @Override
    public void onMissing(Duration retryDelay) {
      steps.runAfter(retryDelay, ContainerAttempt.this::prepare);
    }
  }

  private void create(ImageRef ref, LocalImage found) throws DaemonException, IOException {
    String rootFault = ContainerSpec.nonRootFault(run, found);
    if (rootFault != null) {
      finish(Exit.startError(rootFault, shared.now()));
      return;
    }
    sandbox.createDirectory();
    PodSandbox.Pause pause = sandbox.pauseContainer(run);
    ContainerLabels own = labels();
    try {
      start(containers.make(own, ref, found, pause), own, found, pause);
    } catch (EnvFileException fault) {
      prepareLater(AttemptListener.CONFIG_ERROR, String.valueOf(fault.getMessage()));
    } catch (EnvironmentException fault) {
      finish(Exit.startError(String.valueOf(fault.getMessage()), shared.now()));
    } catch (VolumeFault fault) {
      prepareLater(fault.reason(), String.valueOf(fault.getMessage()));
    } finally {
      sandbox.unpinMounts();
    }
  }

  private void prepareLater(String reason, String message) {
    preparations++;
    listener.onWaiting(reason, message);
    steps.runAfter(RetryDelays.PREPARATION.delay(preparations), this::prepare);
  }

  private ContainerLabels labels() throws IOException {
    ContainerLabels known = phase.labels();
    if (known != null) {
      return known;
    }
    ContainerLabels fresh = containers.newLabels(restartCount);
    phase = new AttemptPhase.Preparing(fresh);
    return fresh;
  }

  private void start(
      PodSandbox.Made made, ContainerLabels own, LocalImage found, PodSandbox.Pause pause)
      throws DaemonException {
    AttemptPhase.Created created = new AttemptPhase.Created(made.id(), own);
    phase = created;
    // Before it runs, so that its end is not missed.
    watch(made.id());
    if (made.state() == ContainerInspection.State.CREATED) {
      shared.daemon().start(made.id());
    }
    AttemptPhase.Started started =
        containers.started(
            created, shared.now(), StopSignal.of(run.container()).orElse(found.stopSignal()));
    reportStart(started, found.id(), pause.address());
    followLog(started);
    removeOld(own);
    if (made.state() == ContainerInspection.State.ENDED) {
      checkEnd();
    }
  }

  /**
   * Removes the container before the last one, as a kubelet does: restarts could fill the disk. The
   * last one tells how it ended.
   */
  private void removeOld(ContainerLabels own) {
    if (own.attempt() < 2 || withoutLast || sandbox.isInterrupted(own.earlier(1))) {
      withoutLast = false;
      return;
    }
    String name = own.earlier(2).containerName();
    shared
        .threads()
        .execute(() -> {
          try {
            shared.daemon().remove(name);
          } catch (DaemonException fault) {
            LOG.debug("Cannot remove {}; it goes with its pod: {}", name, fault.text());
          }
        });
  }

  private void reportStart(AttemptPhase.Started started, String imageId, @Nullable String address) {
    phase = started;
    steps.resetFailures();
    String id = (shared.podman() ? "podman://" : "docker://") + started.id();
    listener.onStarted(
        new StartedContainer(id, restartCount, started.startedAt(), previous, imageId, address));
  }

  private void watch(String id) {
    Runnable check = () -> sandbox.serial().execute(this::checkEnd);
    shared.watch().add(id, check, check);
  }

  private void followLog(AttemptPhase.Started started) {
    shared.attemptLogs().onStart(containers.files(started.labels().attempt()));
    started.log().start();
  }

  private void send(Signal signal) {
    if (isOver()) {
      return;
    }
    sent = sent == Signal.KILL ? sent : signal;
    lookForDaemon();
    if (!(phase instanceof AttemptPhase.Started started)) {
      steps.cancelRetry();
      steps.run(this::callOff);
      return;
    }
    String name = signal == Signal.TERM ? started.stopSignal() : "SIGKILL";
    try {
      shared.daemon().kill(started.id(), name);
    } catch (DaemonException fault) {
      if (fault.reason() == Reason.AWAY) {
        steps.retry(fault.text(), () -> send(signal));
      } else {
        // It ended meanwhile.
        checkEnd();
      }
    }
  }

  private void lookForDaemon() {
    if (interrupted && sent == Signal.KILL && !looking) {
      looking = true;
      lookLater();
    }
  }

  private void lookLater() {
    var _ = shared.after(PATIENCE, () -> sandbox.serial().execute(this::giveUpIfAway));
  }

  /**
   * Ends the attempt if the daemon is away, which may be for ever. The attempt is marked as
   * interrupted, so the next life removes its container.
   */
  private void giveUpIfAway() {
    String id = phase.id();
    if (id == null) {
      return;
    }
    try {
      var _ = sandbox.inspect(id);
      lookLater();
    } catch (DaemonException fault) {
      if (fault.reason() == Reason.AWAY) {
        LOG.warn("Leaving {} to the next start: {}", this, fault.text());
        sandbox.giveUp();
        finish(ends.unknown(startedAt(), "The daemon was away when the container was to end"));
      } else {
        lookLater();
      }
    }
  }

  private void callOff() throws DaemonException {
    String id = phase.id();
    if (id != null) {
      shared.daemon().remove(id);
    }
    finish(Exit.neverStarted("The container was stopped before it could be started", shared.now()));
  }

  /** Checks whether the container has ended. */
  private void checkEnd() {
    if (phase instanceof AttemptPhase.Started started) {
      steps.run(() -> {
        Exit exit = ends.find(started, sent == Signal.KILL);
        if (exit != null) {
          finish(exit);
        }
      });
    }
  }

  private Instant startedAt() {
    return phase instanceof AttemptPhase.Started started ? started.startedAt() : Instant.EPOCH;
  }

  private boolean isOver() {
    return phase instanceof AttemptPhase.Over;
  }

  private void finish(Exit exit) {
    if (isOver() || shared.closed().getAsBoolean()) {
      return;
    }
    AttemptPhase last = phase;
    phase = new AttemptPhase.Over();
    steps.close();
    image.close();
    String id = last.id();
    ContainerLabels own = last.labels();
    Exit full = exit;
    if (id != null && own != null) {
      shared.watch().remove(id);
      if (last instanceof AttemptPhase.Started started) {
        started.log().stop();
      }
      full = recordEnd(own, exit);
    }
    sandbox.remove(this);
    listener.onExited(full);
    end.complete(full);
  }

  private Exit recordEnd(ContainerLabels own, Exit exit) {
    LogFiles files = containers.files(own.attempt());
    Exit full = TerminationMessage.added(exit, run.container(), sandbox.messageFile(own), files);
    shared.attemptLogs().onEnd(files, run, recorded.apply(full));
    return full;
  }

  private void recordInterruption() {
    if (phase instanceof AttemptPhase.Started started) {
      try {
        sandbox.markInterrupted(started.labels());
      } catch (IOException fault) {
        LOG.error(
            "Cannot mark {} as interrupted; its exit will count as a failure: {}",
            this,
            fault.toString());
      }
    }
  }
}
