package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Times;
import dev.stint.model.field.FieldError;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.PodSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The life of one pod on this node, from its acceptance to its last status. On the loop only. */
final class PodLife {
  private static final Logger LOG = LoggerFactory.getLogger(PodLife.class);

  /** The reason why a pod is ended before its time. */
  private enum Cause {
    DEADLINE,
    /** It uses more of the machine than it may. */
    EVICTED,
    /** Its inputs were not created in time. */
    UNPREPARED,
    DELETED,
    /** The object is gone: no status can be written. */
    VANISHED,
    /** Another client has written the last phase. */
    FINISHED_BY_OTHERS,
    /** The runner stops; the pod continues in the runner's next life. */
    INTERRUPTED;

    boolean silent() {
      return compareTo(DELETED) > 0;
    }

    /** True if the pod is ended through no fault of its containers. */
    boolean takesAway() {
      return compareTo(DELETED) >= 0;
    }
  }

  private enum Stage {
    WAITING,
    ACTIVE,
    ENDED,
    /** The last status is written, or there is none to write. */
    SETTLED
  }

  /** The grace period of an eviction that takes effect at once. */
  private static final long EVICTION_SECONDS = 1;

  private final NodePorts node;
  private final Runner runner;
  private final String uid;
  private final GracePeriod grace;
  private final PodDeadline deadline;
  private KubeObject pod;
  private Stage stage = Stage.WAITING;
  private @Nullable Cause cause;
  private List<ContainerLife> containers = List.of();
  private PodInputs inputs = PodInputs.NONE;
  private boolean takenOver;
  private boolean prepared;
  private boolean ending;
  private @Nullable Instant startTime;
  private @Nullable StatusWriter writer;
  private @Nullable String reason;
  private @Nullable String message;
  private @Nullable String obstacle;
  private @Nullable InputWait preparation;
  private Runnable cancelStatus = () -> {};
  private Runnable endDiskWatch = () -> {};
  private boolean statusDue;
  private boolean deletionConfirmed;
  private boolean recordKept;
  private boolean stirred;
  private PodStatus.@Nullable Disruption disruption;

  PodLife(NodePorts node, Runner runner, KubeObject pod) {
    this.node = node;
    this.runner = runner;
    this.pod = pod;
    this.uid = pod.uid();
    this.grace =
        new GracePeriod(node, time -> containers.forEach(container -> container.endBy(time)));
    this.deadline = new PodDeadline(node, this::deadlineExceeded);
  }

  KubeObject pod() {
    return pod;
  }

  String uid() {
    return uid;
  }

  PodInputs inputs() {
    return inputs;
  }

  /** True if no container is started any more: the work is over, or the pod is to end. */
  boolean ending() {
    return ending || stopping();
  }

  /** True if the pod is ended before its time. */
  boolean stopping() {
    return cause != null;
  }

  /**
   * Reports that there is no room for the pod, now or ever, or that the node does not take it. The
   * pod keeps waiting: nothing that it did could be at fault.
   */
  void unschedulable(String why) {
    ArrayNode before = Json.arrayAt(pod.status(), "conditions");
    boolean told = why.equals(obstacle) || PodConditions.saysUnschedulable(before, why);
    obstacle = why;
    if (stage == Stage.WAITING && !told) {
      writer().write(() -> unschedulableStatus(why));
      node.events().failedScheduling(pod, why);
    }
  }

  private ObjectNode unschedulableStatus(String why) {
    ObjectNode status = Json.object().put("phase", "Pending");
    status.set("conditions", PodConditions.after(pod, node.now()).unschedulable(why));
    return status;
  }

  /** Starts the containers, or takes over what an earlier life of the runner left of them. */
  void begin(boolean leftovers) {
    stage = Stage.ACTIVE;
    takenOver = leftovers;
    List<FieldError> faults = node.runtime().unsupported(pod);
    if (!faults.isEmpty()) {
      fail("NotSupported", faults);
      return;
    }
    Instant before = Times.parse(Json.text(pod.status(), "startTime"));
    startTime = before == null ? node.now() : before;
    deadline.start(pod, startTime);
    boolean adoptOnly = leftovers && (pod.deletionTimestamp() != null || deadline.isPast());
    containers = containers();
    endDiskWatch = DiskWatch.start(node, this);
    if (leftovers) {
      recall();
    } else if (node.runtime().ignoresImages()) {
      node.events().imageNotUsed(pod);
    }
    if (adoptOnly) {
      adoptOnly();
      stopIfDeleted();
    } else {
      preparation = new InputWait(node, this, containers, leftovers);
      preparation.begin(startTime);
    }
  }

  /** Takes over containers of an earlier life, but starts none. */
  private void adoptOnly() {
    prepared = true;
    containers.stream().filter(each -> !each.begun()).forEach(each -> each.start(true));
  }

  private List<ContainerLife> containers() {
    List<ContainerLife> lives = new ArrayList<>();
    List<ObjectNode> init = PodSpec.initContainers(pod);
    String waiting =
        init.isEmpty() ? AttemptListener.CONTAINER_CREATING : ContainerState.POD_INITIALIZING;
    for (ObjectNode each : init) {
      lives.add(new ContainerLife(node, this, each, ContainerRole.ofInitContainer(each), waiting));
    }
    for (ObjectNode each : PodSpec.containers(pod)) {
      lives.add(new ContainerLife(node, this, each, ContainerRole.MAIN, waiting));
    }
    return lives;
  }

  private void recall() {
    boolean initialized =
        PodConditions.holds(Json.arrayAt(pod.status(), "conditions"), "Initialized");
    for (ContainerLife container : containers) {
      String list =
          container.role() == ContainerRole.MAIN ? "containerStatuses" : "initContainerStatuses";
      container.recall(StoredContainer.of(pod, list, container.name()), initialized);
    }
  }

  /** Called when all inputs of the pod exist, or the existing ones must do. */
  void prepared(PodInputs found) {
    if (stage == Stage.ACTIVE && !prepared) {
      inputs = found;
      prepared = true;
      if (takenOver) {
        takeOverSidecars();
      }
      changed();
    }
  }

  /** Takes over sidecars to end them, if the work is over: they may have outlived it. */
  private void takeOverSidecars() {
    if (ContainerPlan.of(containers, false).ending()) {
      containers.stream()
          .takeWhile(each -> each.role() != ContainerRole.INIT || each.passed())
          .filter(each -> each.role() == ContainerRole.SIDECAR)
          .forEach(each -> each.start(true));
    }
  }

  /** Schedules a status update when the containers wait for something else than before. */
  void waitsOn() {
    if (stage == Stage.ACTIVE) {
      scheduleStatus();
    }
  }

  /** Ends the pod: its inputs were not created in time. */
  void unprepared(ContainerState.Waiting why) {
    if (stage == Stage.ACTIVE && !ending()) {
      reason = why.creating() ? "FailedMount" : why.reason();
      message = why.message();
      stop(Cause.UNPREPARED, 0);
    }
  }

  /** Evicts the pod: it uses more of the machine than it may. */
  void evict(String why) {
    if (stage == Stage.ACTIVE && !ending()) {
      reason = "Evicted";
      message = why;
      node.events().evicted(pod, why);
      stop(Cause.EVICTED, EVICTION_SECONDS);
    }
  }

  /** True if containers of the pod run or are to be started, and it is not ending yet. */
  boolean runs() {
    return stage == Stage.ACTIVE && !stopping();
  }

  /**
   * Evicts the pod, which no longer tolerates a taint of its node: writes that to its status, and
   * deletes it.
   */
  void evictForTaint() {
    if (runs()) {
      disruption = TaintEviction.disruption();
      node.events().evictedForTaint(pod);
      cancelStatus.run();
      writeStatus();
      PodDeletion.request(node, pod);
    }
  }

  /** Called when the object changed. */
  void observe(KubeObject newest) {
    if (StatusWriter.isOlder(newest, pod)) {
      return;
    }
    note(newest);
    stirred = true;
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

  /** Stores the newest state of the pod; the watch reports later what follows from it. */
  private void note(KubeObject newest) {
    boolean changed =
        PodSpec.generation(newest) != PodSpec.generation(pod)
            || PodConditions.gatesDiffer(pod, newest);
    pod = newest;
    if (writer != null) {
      writer.seen(newest);
    }
    deadline.follow(newest);
    if (changed && stage == Stage.ACTIVE && !silent()) {
      scheduleStatus();
    }
  }

  /**
   * Called periodically. Frees memory of a pod that has not changed since the last call.
   *
   * @return true if the pod has changed
   */
  boolean rest() {
    boolean moved = stirred;
    if (!moved) {
      pod.forgetTree();
      containers.forEach(ContainerLife::rest);
    }
    stirred = false;
    return moved;
  }

  /** Called when the object is gone. */
  void vanish() {
    if (stage == Stage.WAITING || stage == Stage.ACTIVE) {
      stop(Cause.VANISHED, PodSpec.terminationGraceSeconds(pod));
    } else {
      if (recordKept) {
        forget();
      }
      runner.left(this);
    }
  }

  /** Ends the containers so that the next life of the runner runs them again. */
  void interrupt(boolean now) {
    if (stage == Stage.ACTIVE) {
      containers.forEach(ContainerLife::markInterrupted);
      stop(Cause.INTERRUPTED, now ? 0 : PodSpec.terminationGraceSeconds(pod));
    }
  }

  /** Detaches from the pod; its containers continue for the runner's next life. */
  void detach() {
    stage = Stage.SETTLED;
    cancelTimers();
    containers.forEach(ContainerLife::detach);
  }

  /** Called when a container started, became ready or unready, or ended. */
  void changed() {
    if (stage != Stage.ACTIVE || !(prepared || stopping())) {
      return;
    }
    ContainerPlan<ContainerLife> plan = ContainerPlan.of(containers, stopping());
    if (plan.ending() && !ending) {
      ending = true;
      containers.forEach(ContainerLife::noRestart);
    }
    if (plan.over()) {
      end();
      return;
    }
    plan.start().forEach(container -> container.start(false));
    if (!plan.end().isEmpty()) {
      Instant killTime = grace.end(PodSpec.terminationGraceSeconds(pod));
      plan.end().forEach(container -> container.endBy(killTime));
    }
    if (!silent() && containers.stream().anyMatch(ContainerLife::seen)) {
      scheduleStatus();
    }
  }

  private boolean silent() {
    return cause != null && cause.silent();
  }

  private void deadlineExceeded() {
    if (stage == Stage.ACTIVE && !ending()) {
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

  /** Ends the containers. May be called again, for a better reason or a shorter grace period. */
  private void stop(Cause why, long graceSeconds) {
    boolean first = cause == null;
    if (first && !why.silent()) {
      containers.stream()
          .filter(ContainerLife::live)
          .forEach(each -> node.events().stopping(pod, each.name()));
    }
    if (first || why.compareTo(cause) > 0) {
      cause = why;
    }
    containers.forEach(ContainerLife::podEnds);
    if (stage == Stage.WAITING) {
      message = "The pod was deleted before it started";
      end();
      return;
    }
    if (takenOver && !prepared) {
      adoptOnly();
    }
    if (why.takesAway()) {
      containers.forEach(ContainerLife::markStopped);
    }
    grace.endWithin(graceSeconds);
    changed();
  }

  private void fail(String why, List<FieldError> faults) {
    String detail =
        faults.stream()
            .map(FieldError::toString)
            .collect(Collectors.joining("; ", "This node can't run the pod: ", ""));
    reason = why;
    message = detail;
    node.events().refused(pod, why, detail);
    end();
  }

  private void end() {
    stage = Stage.ENDED;
    cancelTimers();
    if (silent()) {
      settleSilently();
    } else {
      writer().writeLast(() -> status(lastPhase()), this::settled);
    }
    runner.ended(this);
  }

  private void cancelTimers() {
    if (preparation != null) {
      preparation.cancel();
    }
    grace.cancel();
    deadline.cancel();
    cancelStatus.run();
    endDiskWatch.run();
  }

  private void settleSilently() {
    stage = Stage.SETTLED;
    if (cause != Cause.INTERRUPTED) {
      forget();
      confirmDeletion();
      runner.left(this);
    }
  }

  /**
   * Called when the last status is durable or refused. If durable, the runtime's own record of the
   * outcome is forgotten. If refused, the next life of the runner writes the status again.
   */
  private void settled(boolean durable) {
    stage = Stage.SETTLED;
    recordKept = !durable;
    if (durable) {
      forget();
    }
    leaveIfSeen();
  }

  private void forget() {
    node.runtime()
        .forget(uid)
        .whenComplete((_, failure) -> {
          if (failure != null) {
            LOG.warn("Cannot clean up after {}; the next start does: {}", pod.ref(), failure);
          }
        });
  }

  /**
   * Leaves once the watch has shown the last phase, too. Otherwise an older event that arrives late
   * would look like a pod that nobody runs.
   */
  private void leaveIfSeen() {
    confirmDeletion();
    if (PodSpec.finished(pod)) {
      runner.left(this);
    }
  }

  /** Confirms that nothing of a deleted pod runs any more, so that its object can be removed. */
  private void confirmDeletion() {
    if (!deletionConfirmed && cause != Cause.VANISHED && PodDeletion.awaitsConfirmation(pod)) {
      deletionConfirmed = true;
      PodDeletion.confirm(node, pod);
    }
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
      writer().write(() -> status(PodStatus.phaseUnderWay(views())));
    }
  }

  private PodStatus.Phase lastPhase() {
    return reason != null ? PodStatus.Phase.Failed : PodStatus.lastPhase(views());
  }

  private ObjectNode status(PodStatus.Phase phase) {
    boolean last = phase.last();
    return new PodStatus(
            phase,
            last ? reason : null,
            last ? message : null,
            startTime,
            views(),
            disruption != null || phase != PodStatus.Phase.Failed ? disruption : machinesFault(),
            podIp())
        .toJson(pod, node.now());
  }

  private @Nullable String podIp() {
    return containers.stream()
        .flatMap(container -> container.podIp().stream())
        .findFirst()
        .orElse(Json.text(pod.status(), "podIP"));
  }

  /**
   * Returns the disruption condition if the machine is at fault for the pod's failure; else null.
   */
  private PodStatus.@Nullable Disruption machinesFault() {
    if (cause == Cause.EVICTED) {
      return PodStatus.Disruption.ofKubelet(String.valueOf(message));
    }
    return containers.stream()
        .filter(container -> container.role() != ContainerRole.SIDECAR)
        .flatMap(container -> container.ended().stream())
        .filter(Exit::isLost)
        .map(exit -> PodStatus.Disruption.ofKubelet(exit.message()))
        .findFirst()
        .orElse(null);
  }

  private List<PodStatus.Container> views() {
    return containers.stream().map(ContainerLife::view).toList();
  }

  private StatusWriter writer() {
    if (writer == null) {
      writer = new StatusWriter(node, pod, this::note);
    }
    return writer;
  }
}
