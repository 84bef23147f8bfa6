package dev.stint.runner.container;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.container.daemon.ContainerInspection;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.ContainerSpec;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Kind;
import dev.stint.runner.container.daemon.DaemonLog;
import dev.stint.runner.container.daemon.ImageRef;
import dev.stint.runner.container.daemon.LocalImage;
import dev.stint.runner.container.daemon.PullSecrets;
import dev.stint.runner.env.Environment;
import dev.stint.runner.env.MissingInputException;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.spec.ResourceLimits;
import dev.stint.runner.volume.VolumeFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One run of a container by the daemon. All methods but those of {@link Attempt} are for tasks of
 * the {@link PodSandbox} only.
 */
final class ContainerAttempt implements Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerAttempt.class);
  private static final Duration FOLLOW_AGAIN = Duration.ofSeconds(1);

  /**
   * The number of times that a daemon is asked about a container whose process is gone, before it
   * is given up.
   */
  private static final int MOST_DOUBTS = 6;

  private static final Duration BETWEEN_DOUBTS = Duration.ofSeconds(5);

  /** A request to the daemon, repeated when the daemon is back. */
  @FunctionalInterface
  private interface Step {
    void run() throws DaemonException, IOException;
  }

  private final RuntimeContext shared;
  private final PodSandbox sandbox;
  private final ContainerRun run;
  private final AttemptListener listener;
  private final CompletableFuture<Exit> end = new CompletableFuture<>();
  private int restartCount;
  private @Nullable Exit previous;
  private @Nullable ContainerLabels labels;
  private @Nullable String id;
  private @Nullable LogCopy log;
  private String stopSignal = LocalImage.TERM;
  private Instant startedAt = Instant.EPOCH;
  private boolean started;
  private boolean ending;
  private boolean killed;
  private boolean stopped;
  private boolean over;
  private int failures;
  private int pulls;
  private int preparations;
  private int doubts;
  private Runnable cancelRetry = () -> {};

  ContainerAttempt(
      RuntimeContext shared, PodSandbox sandbox, ContainerRun run, AttemptListener listener) {
    this.shared = shared;
    this.sandbox = sandbox;
    this.run = run;
    this.listener = listener;
    this.restartCount = run.restartCount();
  }

  @Override
  public void signal(Signal signal) {
    sandbox.serial().execute(() -> send(signal));
  }

  @Override
  public void markStopped() {
    sandbox.serial().execute(() -> stopped = true);
  }

  @Override
  public void markInterrupted() {
    sandbox.serial().execute(this::recordInterruption);
  }

  void begin() {
    sandbox.add(this);
    attempt(this::enter);
  }

  /** True if this container runs. */
  boolean is(String container) {
    return started && !over && run.name().equals(container);
  }

  /** Returns its ID at the daemon, once it has one. */
  Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /** Returns its number, once it has one; -1 before. */
  int number() {
    return labels == null ? -1 : labels.attempt();
  }

  /** Completes with the outcome, once there is one. */
  CompletableFuture<Exit> end() {
    return end.copy();
  }

  /** Called when the container was removed with the pod. */
  void removed() {
    if (!over) {
      int signal = Signal.KILL.number();
      finish(Exit.of(128 + signal, signal, startedAt, shared.now()));
    }
  }

  @Override
  public String toString() {
    return "container " + run.name() + " of " + run.pod().ref() + " (uid " + run.pod().uid() + ")";
  }

  private void enter() throws DaemonException {
    List<Daemon.Listed> left = sandbox.history(run.name());
    if (left.isEmpty()) {
      prepare();
    } else {
      adopt(left);
    }
  }

  private void adopt(List<Daemon.Listed> left) throws DaemonException {
    Daemon.Listed latest = left.getLast();
    ContainerLabels known = latest.labels();
    sandbox.used(run.name(), known.attempt());
    restartCount = known.restartCount();
    previous = sandbox.lastExit(left.subList(0, left.size() - 1));
    ContainerInspection found = inspect(latest.id());
    boolean interrupted = sandbox.isInterrupted(known);
    if (found != null && !interrupted && found.state() != ContainerInspection.State.CREATED) {
      takeOver(known, found);
      return;
    }
    LOG.info(
        "attempt {} of {} {}; it is run again in the same pod",
        known.attempt(),
        this,
        interrupted ? "was interrupted" : "left no outcome");
    shared.daemon().remove(latest.id());
    prepare();
  }

  /** Takes over a container that runs, or has ended meanwhile. */
  private void takeOver(ContainerLabels known, ContainerInspection found) throws DaemonException {
    labels = known;
    id = found.id();
    stopSignal = found.stopSignal();
    Instant at = found.startedAt() == null ? shared.now() : found.startedAt();
    boolean runs = found.state() == ContainerInspection.State.RUNNING;
    PodSandbox.Holding holding = runs ? sandbox.holding(run) : null;
    reportStart(at, imageId(found), holding == null ? null : holding.address());
    if (runs) {
      watch();
      followLog();
      // It may have ended since it was inspected.
      ended();
    } else if (known.bootId().equals(shared.bootId())) {
      endedAs(found);
    } else {
      finish(Exit.lost(at, shared.now()));
    }
  }

  private String imageId(ContainerInspection found) throws DaemonException {
    try {
      return shared.daemon().image(found.image()).id();
    } catch (DaemonException fault) {
      if (fault.kind() == Kind.AWAY) {
        throw fault;
      }
      return found.image();
    }
  }

  /** Gets the image, and continues with {@link #create}. */
  private void prepare() {
    if (over) {
      return;
    }
    if (run.adoptOnly() || ending) {
      finish(Exit.neverStarted("The container's outcome was lost", shared.now()));
      return;
    }
    String name = String.valueOf(Json.text(run.container(), "image"));
    Optional<ImageRef> image = ImageRef.parse(name);
    if (image.isEmpty()) {
      listener.onWaiting(
          "InvalidImageName",
          "Failed to apply default image tag \"" + name + "\": not a valid name");
      return;
    }
    Instant asked = shared.now();
    var _ =
        shared
            .images()
            .get(
                image.get(),
                PullPolicy.of(run.container(), image.get()),
                PullSecrets.of(run.pod(), run.inputs(), image.get()),
                () -> listener.onProgress("Pulling", "Pulling image \"%s\"".formatted(name)))
            .whenComplete((there, fault) ->
                sandbox.serial().execute(() -> answered(image.get(), asked, there, fault)));
  }

  private void answered(
      ImageRef ref, Instant asked, ImagePuller.@Nullable Got got, @Nullable Throwable failure) {
    if (over) {
      return;
    }
    Throwable fault = failure instanceof CompletionException ? failure.getCause() : failure;
    if (got != null) {
      reportPull(asked, got);
      attempt(() -> create(ref, got.image()));
    } else if (fault instanceof DaemonException known && known.kind() == Kind.AWAY) {
      again(known.text(), this::prepare);
    } else {
      noImage(ref, fault);
    }
  }

  /** Reports a pull as a kubelet words it. */
  private void reportPull(Instant asked, ImagePuller.Got got) {
    if (got.pull() != null) {
      String name = String.valueOf(Json.text(run.container(), "image"));
      listener.onProgress(
          "Pulled",
          "Successfully pulled image \"%s\" in %s (%s including waiting). Image size: %d bytes."
              .formatted(
                  name,
                  seconds(got.pull()),
                  seconds(Duration.between(asked, shared.now())),
                  got.image().size()));
    }
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.3fs", time.toMillis() / 1000.0);
  }

  private void noImage(ImageRef ref, @Nullable Throwable fault) {
    pulls++;
    String reason =
        fault instanceof ImagePuller.NotThere known ? known.reason() : "ImageInspectError";
    String message = String.valueOf(fault == null ? null : fault.getMessage());
    if (pulls > 1 && reason.equals("ErrImagePull")) {
      message = "Back-off pulling image \"%s\": %s: %s".formatted(ref, reason, message);
      reason = "ImagePullBackOff";
    }
    listener.onWaiting(reason, message);
    cancelRetry =
        shared.after(
            RetryDelays.CRASH_LOOP.delay(pulls), () -> sandbox.serial().execute(this::prepare));
  }

  private void create(ImageRef ref, LocalImage image) throws DaemonException, IOException {
    String rootFault = ContainerSpec.nonRootFault(run, image);
    if (rootFault != null) {
      finish(Exit.startError(rootFault, shared.now()));
      return;
    }
    sandbox.createDirectory();
    PodSandbox.Holding holding = sandbox.holding(run);
    ContainerLabels own = labels();
    try {
      Map<String, String> variables = variables(holding);
      PodSandbox.Made made =
          sandbox.make(
              ContainerSpec.container(
                  run,
                  own,
                  new ContainerSpec.Surroundings(
                      holding.id(),
                      image,
                      ref,
                      variables,
                      sandbox.mounts(run, own, variables),
                      shared.logLimits(),
                      shared.podman())));
      start(made, image, holding);
    } catch (MissingInputException fault) {
      finish(Exit.startError(String.valueOf(fault.getMessage()), shared.now()));
    } catch (VolumeFault fault) {
      waitFor(fault);
    }
  }

  private void waitFor(VolumeFault fault) {
    preparations++;
    listener.onWaiting(fault.reason(), String.valueOf(fault.getMessage()));
    cancelRetry =
        shared.after(
            RetryDelays.PREPARATION.delay(preparations),
            () -> sandbox.serial().execute(this::prepare));
  }

  private Map<String, String> variables(PodSandbox.Holding holding) throws MissingInputException {
    KubeObject pod = run.pod();
    if (holding.address() != null) {
      ObjectNode copy = pod.copy();
      copy.withObjectProperty("status").put("podIP", holding.address());
      pod = KubeObject.of(copy);
    }
    return Environment.declared(pod, run.container(), run.inputs(), ResourceAmount.ofThisMachine());
  }

  /** Returns the labels of the attempt, which hold its number and the lengths of its logs. */
  private ContainerLabels labels() throws IOException {
    if (labels == null) {
      int number = sandbox.nextNumber(run.name());
      LogFiles files = files(number);
      Files.createDirectories(files.dir());
      for (LogStream stream : LogStream.values()) {
        Path file = files.path(stream);
        if (!Files.exists(file)) {
          Files.createFile(file);
        }
      }
      labels =
          new ContainerLabels(
              shared.dataDir(),
              run.pod().uid(),
              run.name(),
              number,
              restartCount,
              shared.bootId(),
              Files.size(files.path(LogStream.STDOUT)),
              Files.size(files.path(LogStream.STDERR)));
    }
    return labels;
  }

  private void start(PodSandbox.Made made, LocalImage image, PodSandbox.Holding holding)
      throws DaemonException {
    id = made.id();
    stopSignal = image.stopSignal();
    // Before it runs, so that its end is not missed.
    watch();
    if (made.state() == ContainerInspection.State.CREATED) {
      shared.daemon().start(made.id());
    }
    reportStart(shared.now(), image.id(), holding.address());
    followLog();
    if (made.state() == ContainerInspection.State.ENDED) {
      ended();
    }
  }

  private void reportStart(Instant at, String imageId, @Nullable String address) {
    started = true;
    startedAt = at;
    failures = 0;
    String type = shared.podman() ? "podman://" : "docker://";
    listener.onStarted(
        new StartedContainer(type + id, restartCount, at, previous, imageId, address));
  }

  private void watch() {
    Runnable look = () -> sandbox.serial().execute(this::ended);
    shared.watch().add(knownId(), look, look);
  }

  private void followLog() {
    ContainerLabels own = knownLabels();
    LogFiles files = files(own.attempt());
    shared.attemptLogs().begin(files);
    LogCopy copy = copyOf(knownId(), files, own);
    log = copy;
    follow(copy);
  }

  private LogCopy copyOf(String containerId, LogFiles files, ContainerLabels own) {
    long wholeBytes = DaemonLog.wholeBytes(shared.logLimits());
    return new LogCopy(shared.daemon(), containerId, files, own, wholeBytes);
  }

  private void follow(LogCopy copy) {
    shared
        .threads()
        .execute(() -> {
          copy.follow();
          shared.after(FOLLOW_AGAIN, () -> sandbox.serial().execute(() -> followAgain(copy)));
        });
  }

  /** Follows the log again: the daemon may have been away. */
  private void followAgain(LogCopy copy) {
    if (!over) {
      follow(copy);
    }
  }

  private void send(Signal signal) {
    if (over) {
      return;
    }
    ending = true;
    killed |= signal == Signal.KILL;
    if (!started) {
      cancelRetry.run();
      attempt(this::callOff);
      return;
    }
    try {
      shared.daemon().kill(knownId(), signal == Signal.TERM ? stopSignal : "SIGKILL");
    } catch (DaemonException fault) {
      if (fault.kind() == Kind.AWAY) {
        again(fault.text(), () -> send(signal));
      } else {
        // It ended meanwhile.
        ended();
      }
    }
  }

  private void callOff() throws DaemonException {
    if (id != null) {
      shared.daemon().remove(id);
    }
    finish(Exit.neverStarted("The container was to end before it could be started", shared.now()));
  }

  /** Checks whether the container has ended. */
  private void ended() {
    if (started && !over) {
      attempt(() -> {
        ContainerInspection found = inspect(knownId());
        if (found == null) {
          finish(unknown("The container is gone; somebody else removed it"));
        } else if (found.state() == ContainerInspection.State.ENDED) {
          endedAs(found);
        } else {
          doubt(found);
        }
      });
    }
  }

  /**
   * Called when the daemon reports the container as running. Podman 4.3 may report that forever for
   * a container that ended while its service was being killed, so its process is checked.
   */
  private void doubt(ContainerInspection found) throws DaemonException {
    if (!sandbox.seemsGone(found)) {
      doubts = 0;
    } else if (doubts < MOST_DOUBTS) {
      doubts++;
      var _ = shared.after(BETWEEN_DOUBTS, () -> sandbox.serial().execute(this::ended));
    } else {
      LOG.warn("{}: its process is gone, but the daemon still lists it as running", this);
      copyRest(found);
      finish(unknown("The container's process is gone, and the daemon does not know how it ended"));
    }
  }

  private void endedAs(ContainerInspection found) throws DaemonException {
    copyRest(found);
    Exit exit = found.exit(shared.now());
    finish(seemsOutOfMemory(exit) ? exit.withReason(Exit.OOM_KILLED) : exit);
  }

  private void copyRest(ContainerInspection found) throws DaemonException {
    LogCopy copy =
        log == null ? copyOf(found.id(), files(knownLabels().attempt()), knownLabels()) : log;
    copy.finish();
  }

  /**
   * True if the container likely ran out of memory, if the daemon can't tell: it has a limit, and
   * was killed, and not by us.
   */
  private boolean seemsOutOfMemory(Exit exit) {
    return !shared.tellsOutOfMemory()
        && !killed
        && exit.code() == 128 + Signal.KILL.number()
        && ResourceLimits.of(run.container()).memory() != null;
  }

  private Exit unknown(String why) {
    return new Exit(137, null, "ContainerStatusUnknown", why, startedAt, shared.now(), false);
  }

  private void finish(Exit exit) {
    if (over || shared.closed().getAsBoolean()) {
      return;
    }
    over = true;
    cancelRetry.run();
    Exit full = exit;
    if (labels != null && id != null) {
      LogFiles files = files(labels.attempt());
      shared.watch().remove(id);
      if (log != null) {
        log.stop();
      }
      full = TerminationMessage.added(exit, run.container(), sandbox.messageFile(labels), files);
      shared.attemptLogs().end(files, run.pod(), stopped ? full.asStopped() : full);
    }
    sandbox.remove(this);
    listener.onExited(full);
    end.complete(full);
  }

  private void recordInterruption() {
    if (!over && started) {
      try {
        sandbox.markInterrupted(knownLabels());
      } catch (IOException fault) {
        LOG.error("{} could not be marked as interrupted: {}", this, fault.toString());
      }
    }
  }

  /** Runs a step, and repeats it while the daemon, or the disk, is not available. */
  private void attempt(Step step) {
    if (over) {
      return;
    }
    try {
      step.run();
    } catch (DaemonException fault) {
      if (fault.kind() == Kind.AWAY) {
        again(fault.text(), () -> attempt(step));
      } else {
        finish(Exit.startError(fault.text(), shared.now()));
      }
    } catch (IOException fault) {
      again(fault.toString(), () -> attempt(step));
    } catch (RuntimeException fault) {
      LOG.error("{} can't be run", this, fault);
      finish(Exit.startError("an internal fault: " + fault.getMessage(), shared.now()));
    }
  }

  private void again(String why, Runnable task) {
    failures++;
    if (failures == 1) {
      LOG.warn("{} has to wait ({}), trying again", this, why);
    }
    cancelRetry =
        shared.after(RetryDelays.REQUEST.delay(failures), () -> sandbox.serial().execute(task));
  }

  private @Nullable ContainerInspection inspect(String container) throws DaemonException {
    try {
      return shared.daemon().inspect(container);
    } catch (DaemonException fault) {
      if (fault.kind() == Kind.MISSING) {
        return null;
      }
      throw fault;
    }
  }

  private LogFiles files(int number) {
    return new LogFiles(shared.logs().dir(run.pod()), LogTree.segment(run.name()), number);
  }

  private String knownId() {
    return java.util.Objects.requireNonNull(id);
  }

  private ContainerLabels knownLabels() {
    return java.util.Objects.requireNonNull(labels);
  }
}
