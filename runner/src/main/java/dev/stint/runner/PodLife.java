package dev.stint.runner;

import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Times;
import dev.stint.model.field.FieldError;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The life of one pod on this node, from being accepted to its last status. On the loop only. */
final class PodLife {
  /** A hundred years; a longer time is as good as none, and might not fit into a time. */
  private static final long FOREVER_SECONDS = 100L * 365 * 24 * 3600;

  private static final Logger LOG = LoggerFactory.getLogger(PodLife.class);

  /** Why a pod is being ended before its time. */
  private enum Cause {
    DEADLINE,
    DELETED,
    /** The object is gone: nobody to report to. */
    VANISHED,
    /** Somebody else has written the last phase. */
    FINISHED_BY_OTHERS,
    /** The runner stops; the pod goes on in the runner's next life. */
    INTERRUPTED;

    boolean silent() {
      return this != DEADLINE && this != DELETED;
    }
  }

  private enum Stage {
    WAITING,
    ACTIVE,
    ENDED,
    /** The last status is written, or there is none to write. */
    SETTLED
  }

  private final Node node;
  private final Runner runner;
  private final String uid;
  private KubeObject pod;
  private Stage stage = Stage.WAITING;
  private @Nullable Cause cause;
  private List<ContainerLife> containers = List.of();
  private @Nullable Instant startTime;
  private @Nullable Instant killAt;
  private @Nullable StatusWriter writer;
  private @Nullable String reason;
  private @Nullable String message;
  private Runnable cancelKill = () -> {};
  private Runnable cancelDeadline = () -> {};
  private Runnable cancelStatus = () -> {};
  private boolean statusDue;
  private boolean deletionConfirmed;

  PodLife(Node node, Runner runner, KubeObject pod) {
    this.node = node;
    this.runner = runner;
    this.pod = pod;
    this.uid = pod.uid();
  }

  KubeObject pod() {
    return pod;
  }

  String uid() {
    return uid;
  }

  boolean waiting() {
    return stage == Stage.WAITING;
  }

  boolean stopping() {
    return cause != null;
  }

  /** Starts the containers, or takes over what an earlier life of the runner left of them. */
  void begin(boolean leftovers) {
    stage = Stage.ACTIVE;
    List<FieldError> faults = node.runtime().unsupported(pod);
    if (!faults.isEmpty()) {
      fail("NotSupported", faults);
      return;
    }
    Instant before = Times.parse(Json.text(pod.status(), "startTime"));
    startTime = before == null ? node.now() : before;
    Instant deadline = armDeadline(startTime);
    boolean adoptOnly =
        leftovers
            && (pod.deletionTimestamp() != null
                || (deadline != null && !deadline.isAfter(node.now())));
    containers =
        PodSpec.containers(pod).stream().map(each -> new ContainerLife(node, this, each)).toList();
    if (containers.isEmpty()) {
      end();
      return;
    }
    containers.forEach(container -> container.start(adoptOnly));
    stopIfDeleted();
  }

  /** The object changed. */
  void observe(KubeObject newest) {
    pod = newest;
    switch (stage) {
      case WAITING, ACTIVE -> {
        if (PodSpec.finished(newest)) {
          stop(Cause.FINISHED_BY_OTHERS, PodSpec.terminationGraceSeconds(newest));
        } else {
          stopIfDeleted();
        }
      }
      case ENDED -> {}
      case SETTLED -> leaveIfSeen();
    }
  }

  /** The object is gone. */
  void vanish() {
    if (stage == Stage.WAITING || stage == Stage.ACTIVE) {
      stop(Cause.VANISHED, PodSpec.terminationGraceSeconds(pod));
    } else {
      runner.left(this);
    }
  }

  /** Ends the containers so that the next life of the runner runs them again. */
  void interrupt(boolean now) {
    if (stage == Stage.ACTIVE) {
      containers.forEach(ContainerLife::setAside);
      stop(Cause.INTERRUPTED, now ? 0 : PodSpec.terminationGraceSeconds(pod));
    }
  }

  /** Nobody runs the pod any more; what goes on in it is for the runner's next life. */
  void detach() {
    stage = Stage.SETTLED;
    cancelTimers();
    containers.forEach(ContainerLife::cancelRestart);
  }

  /** A container started or ended. */
  void changed() {
    if (stage != Stage.ACTIVE) {
      return;
    }
    boolean over =
        stopping()
            ? containers.stream().noneMatch(ContainerLife::live)
            : containers.stream().allMatch(ContainerLife::ended);
    if (over) {
      end();
    } else if (!silent()) {
      scheduleStatus();
    }
  }

  private boolean silent() {
    return cause != null && cause.silent();
  }

  private @Nullable Instant armDeadline(Instant start) {
    Long seconds = PodSpec.activeDeadlineSeconds(pod);
    if (seconds == null || seconds > FOREVER_SECONDS) {
      return null;
    }
    Instant deadline = start.plusSeconds(seconds);
    cancelDeadline = node.after(until(deadline), this::deadlineExceeded);
    return deadline;
  }

  private void deadlineExceeded() {
    if (stage == Stage.ACTIVE && !stopping()) {
      reason = "DeadlineExceeded";
      message = "Pod was active on the node longer than the specified deadline";
      stop(Cause.DEADLINE, PodSpec.terminationGraceSeconds(pod));
    }
  }

  private void stopIfDeleted() {
    if (pod.deletionTimestamp() != null) {
      stop(Cause.DELETED, PodSpec.deletionGraceSeconds(pod));
    }
  }

  /** Ends what runs. May be called again, for a better reason or a shorter grace. */
  private void stop(Cause why, long graceSeconds) {
    boolean first = cause == null;
    if (first || why.compareTo(cause) > 0) {
      cause = why;
    }
    if (stage == Stage.WAITING) {
      message = "The pod was deleted before it started";
      end();
      return;
    }
    containers.forEach(ContainerLife::noRestart);
    if (containers.stream().noneMatch(ContainerLife::live)) {
      end();
      return;
    }
    if (first || why == Cause.INTERRUPTED) {
      containers.forEach(container -> container.signal(Attempt.Signal.TERM));
    }
    killWithin(graceSeconds);
  }

  private void killWithin(long asked) {
    long graceSeconds = Math.min(asked, FOREVER_SECONDS);
    Instant at = node.now().plusSeconds(graceSeconds);
    if (killAt == null || at.isBefore(killAt)) {
      killAt = at;
      cancelKill.run();
      if (graceSeconds <= 0) {
        kill();
      } else {
        cancelKill = node.after(Duration.ofSeconds(graceSeconds), this::kill);
      }
    }
  }

  private void kill() {
    containers.forEach(container -> container.signal(Attempt.Signal.KILL));
  }

  private void fail(String why, List<FieldError> faults) {
    reason = why;
    message =
        faults.stream()
            .map(FieldError::toString)
            .collect(Collectors.joining("; ", "This node can't run the pod: ", ""));
    end();
  }

  private void end() {
    boolean hadSlot = stage == Stage.ACTIVE;
    stage = Stage.ENDED;
    cancelTimers();
    if (silent()) {
      settleSilently();
    } else {
      writer().writeLast(status(lastPhase()), this::settled);
    }
    if (hadSlot) {
      runner.slotFreed();
    }
  }

  private void cancelTimers() {
    cancelKill.run();
    cancelDeadline.run();
    cancelStatus.run();
  }

  private void settleSilently() {
    stage = Stage.SETTLED;
    if (cause != Cause.INTERRUPTED) {
      forget();
      confirmDeletion();
      runner.left(this);
    }
  }

  /** The last status is durable: the runtime's own record of the outcome is not needed any more. */
  private void settled() {
    stage = Stage.SETTLED;
    forget();
    leaveIfSeen();
  }

  private void forget() {
    node.runtime()
        .forget(uid)
        .whenComplete((_, failure) -> {
          if (failure != null) {
            LOG.warn("what is left of {} could not be removed: {}", pod.ref(), failure);
          }
        });
  }

  /**
   * Leaves once the watch has shown the last phase too: an older event that is still under way must
   * not look like a pod that nobody runs.
   */
  private void leaveIfSeen() {
    confirmDeletion();
    if (PodSpec.finished(pod)) {
      runner.left(this);
    }
  }

  /** A deleted pod's object goes when its node says that nothing of it runs any more. */
  private void confirmDeletion() {
    if (!deletionConfirmed && cause != Cause.VANISHED && awaitsConfirmation(pod)) {
      deletionConfirmed = true;
      confirmDeletion(node, pod);
    }
  }

  static boolean awaitsConfirmation(KubeObject pod) {
    return pod.deletionTimestamp() != null && PodSpec.deletionGraceSeconds(pod) > 0;
  }

  static void confirmDeletion(Node node, KubeObject pod) {
    Request.send(
        node,
        () -> node.cluster().delete(pod.ref(), DeleteOptions.now(pod.uid())),
        failure -> {
          if (failure != null && !StatusWriter.gone(failure)) {
            LOG.error("{} could not be deleted: {}", pod.ref(), failure.getMessage());
          }
        });
  }

  private void scheduleStatus() {
    if (!statusDue) {
      statusDue = true;
      cancelStatus = node.after(node.options().statusDelay(), this::writeStatus);
    }
  }

  private void writeStatus() {
    statusDue = false;
    if (stage == Stage.ACTIVE && !silent()) {
      writer().write(status(PodStatus.Phase.Running));
    }
  }

  private PodStatus.Phase lastPhase() {
    return reason != null || containers.isEmpty()
        ? PodStatus.Phase.Failed
        : PodStatus.phaseOf(views());
  }

  private ObjectNode status(PodStatus.Phase phase) {
    boolean running = phase == PodStatus.Phase.Running;
    return new PodStatus(
            phase, running ? null : reason, running ? null : message, startTime, views())
        .toJson(pod.status(), node.now());
  }

  private List<PodStatus.Container> views() {
    return containers.stream().map(ContainerLife::view).toList();
  }

  private StatusWriter writer() {
    if (writer == null) {
      writer = new StatusWriter(node, pod.ref(), uid);
    }
    return writer;
  }

  private Duration until(Instant time) {
    Duration left = Duration.between(node.now(), time);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
