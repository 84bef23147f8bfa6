package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.device.Devices;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.policy.ContainerPlan;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.PodSpec;
import dev.stint.runner.spec.Tolerations;
import dev.stint.runner.status.ContainerState;
import dev.stint.runner.status.PodConditions;
import dev.stint.runner.status.PodStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The life of one pod on this node, from its acceptance to its last status. On the loop only. */
final class PodLife {
  private static final Logger LOG = LoggerFactory.getLogger(PodLife.class);

  /** The grace period of an eviction that takes effect at once. */
  private static final long EVICTION_SECONDS = 1;

  /** Its tasks pass through {@link #guard}. */
  private final NodePorts node;

  private final NodePorts unguarded;
  private final Runner runner;
  private final String uid;
  private final GracePeriod grace;
  private final PodDeadline deadline;
  private final PodReporter reporter;
  private KubeObject pod;
  private PodStage stage = PodStage.WAITING;

  /** Null unless the pod is ended before its time. */
  private @Nullable EndCause cause;

  private PodContainers containers = PodContainers.NONE;
  private PodInputs inputs = PodInputs.NONE;
  private Devices devices = Devices.NONE;

  /** Kept while the pod waits: read from the pod, they would have it parsed as a whole. */
  private Tolerations tolerations = Tolerations.NONE;

  private @Nullable InputWait inputWait;
  private Runnable endDiskWatch = () -> {};
  private Runnable endTokenRenewal = () -> {};
  private boolean deletionConfirmed;
  private boolean changedSinceTrim;

  /** True for a pod that waits although it ran before: it is taken over once there is room. */
  private boolean ranBefore;

  /** True once an event of the pod has thrown an exception; then it only fails. */
  private boolean broken;

  PodLife(NodePorts node, Runner runner, KubeObject pod) {
    this.unguarded = node;
    this.node = node.guardedBy(this::guard);
    this.runner = runner;
    this.pod = pod;
    this.uid = pod.uid();
    this.grace =
        new GracePeriod(this.node, time -> containers.forEach(container -> container.endBy(time)));
    this.deadline = new PodDeadline(this.node, this::onDeadline);
    this.reporter = new PodReporter(this.node, this, this::store);
  }

  /**
   * Handles an event of the pod: every entry from outside passes here. An exception fails this pod
   * and concerns no other. Nothing else happens to the pod after that.
   */
  void guard(Runnable event) {
    if (broken) {
      return;
    }
    try {
      event.run();
    } catch (RuntimeException | StackOverflowError fault) {
      broken = true;
      LOG.error("Failing pod {} (uid {}): an event of it cannot be handled", pod.ref(), uid, fault);
      // Later, since whoever reported the event may be iterating over pods.
      unguarded.loop().execute(() -> fail(fault));
    }
  }

  /** Ends the pod whatever its state: frees its room, reports why, and kills what runs of it. */
  private void fail(Throwable fault) {
    boolean reported = stage == PodStage.SETTLED;
    try {
      detach();
    } finally {
      runner.onPodEnd(this);
      if (isSilent() && cause != EndCause.INTERRUPTED) {
        runner.onPodDone(this);
      } else if (!isSilent() && !reported) {
        PodReporter.reportFault(unguarded, pod, fault);
      }
      unguarded.forget(uid, pod.ref());
      if (!isSilent() && !reported) {
        unguarded.events().refused(pod, PodReporter.INTERNAL_ERROR, PodReporter.text(fault));
      }
    }
  }

  KubeObject pod() {
    return pod;
  }

  String uid() {
    return uid;
  }

  /** Returns what the pod tolerates, while it waits. */
  Tolerations tolerations() {
    return tolerations;
  }

  PodInputs inputs() {
    return inputs;
  }

  /** True if no container is started any more: the work is over, or the pod is to end. */
  boolean isEnding() {
    return !stage.mayStart() || isStopping();
  }

  /** True if the pod is ended before its time. */
  boolean isStopping() {
    return cause != null;
  }

  /** True if containers of the pod run or are to be started, and it is not stopping. */
  boolean isRunning() {
    return stage.isActive() && !isStopping();
  }

  private boolean isSilent() {
    return cause != null && cause.isSilent();
  }

  /** True if its state is reported to the API server. */
  boolean isReported() {
    return stage.isActive() && !isSilent();
  }

  /** True if it is ended since it uses more of the machine than it may. */
  boolean isEvicted() {
    return cause == EndCause.EVICTED;
  }

  PodContainers containers() {
    return containers;
  }

  /**
   * Reports that there is no room for the pod, now or ever, or that the node does not take it. The
   * pod keeps waiting: nothing that it did could be at fault.
   */
  void reportUnschedulable(String why) {
    if (stage == PodStage.WAITING) {
      reporter.reportUnschedulable(why);
    }
  }

  /** True for a pod that waits although it ran before. */
  boolean hasRunBefore() {
    return ranBefore;
  }

  /**
   * Records that an earlier life left something of the pod, and that nothing of it runs. It waits
   * like a new pod, but its deadline counts.
   */
  void waitToRunAgain() {
    ranBefore = true;
    deadline.start(pod, reporter.accept());
  }

  /**
   * Starts the containers.
   *
   * @param own the devices that are taken for them
   */
  void begin(Devices own) {
    devices = own;
    String recorded = pod.annotations().get(PodDevices.ANNOTATION);
    begin(ranBefore, own.isEmpty() || PodDevices.text(own).equals(recorded));
  }

  /**
   * Takes over what an earlier life of the runner left of the containers.
   *
   * @param own the devices that they have
   */
  void takeOver(Devices own) {
    devices = own;
    begin(true, true);
  }

  /**
   * @param leftovers true if an earlier life may have left something of the pod
   * @param recorded true if the pod's annotation needs no change
   */
  private void begin(boolean leftovers, boolean recorded) {
    stage = leftovers ? PodStage.TAKING_OVER : PodStage.PREPARING;
    List<FieldError> faults = new ArrayList<>(node.runtime().unsupported(pod));
    if (!leftovers) {
      faults.addAll(node.options().refusals().apply(pod));
    }
    if (!faults.isEmpty()) {
      refuse(faults);
      return;
    }
    Instant startTime = reporter.accept();
    deadline.start(pod, startTime);
    boolean adoptOnly = leftovers && (pod.deletionTimestamp() != null || deadline.isPast());
    containers = PodContainers.of(node, this);
    endDiskWatch = DiskWatch.start(node, this);
    if (leftovers) {
      containers.recall(pod);
    } else if (node.runtime().ignoresImages()) {
      node.events().imageNotUsed(pod);
    }
    if (adoptOnly) {
      adopt();
      stopIfDeleted();
    } else {
      InputWait wait = new InputWait(node, this, containers.all(), leftovers);
      inputWait = wait;
      if (recorded) {
        wait.begin(startTime);
      } else {
        recordDevices(() -> wait.begin(startTime));
      }
    }
  }

  /** Writes the devices to the pod before it starts, so that the runner's next life knows them. */
  private void recordDevices(Runnable then) {
    AtomicReference<KubeObject> newest = new AtomicReference<>(pod);
    RetriedRequest.send(
        node,
        () -> node.cluster().patch(pod.ref(), devicePatch()).thenAccept(newest::set),
        failure -> {
          if (failure != null && !StatusWriter.isGone(failure)) {
            throw new IllegalStateException("cannot record the devices of the pod", failure);
          }
          update(Objects.requireNonNull(newest.get()));
          if (failure == null && stage.isPreparing()) {
            then.run();
          }
        });
  }

  private ObjectNode devicePatch() {
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", uid)
        .putObject("annotations")
        .put(PodDevices.ANNOTATION, PodDevices.text(devices));
    return patch;
  }

  private void refuse(List<FieldError> faults) {
    String detail =
        faults.stream()
            .map(FieldError::toString)
            .collect(Collectors.joining("; ", "This node cannot run the pod: ", ""));
    reporter.markFailed("NotSupported", detail);
    node.events().refused(pod, "NotSupported", detail);
    end();
  }

  private void adopt() {
    stage = PodStage.RUNNING;
    containers.adopt();
  }

  /** Called when all inputs of the pod exist, or the existing ones must do. */
  void onInputs(PodInputs found) {
    if (stage.isPreparing()) {
      boolean takingOver = stage == PodStage.TAKING_OVER;
      inputs = found;
      endTokenRenewal = TokenRenewal.start(node, this, takingOver);
      stage = PodStage.RUNNING;
      if (takingOver) {
        containers.adoptSidecarsIfWorkIsOver();
      }
      onContainerChange();
    }
  }

  /** Called when the containers wait for something else than before. */
  void onWaitChange() {
    if (stage.isActive()) {
      reporter.schedule();
    }
  }

  /** Ends the pod: its inputs were not created in time. */
  void onInputsTimeout(ContainerState.Waiting why) {
    if (stage.isActive() && !isEnding()) {
      reporter.markFailed(why.isCreating() ? "FailedMount" : why.reason(), why.message());
      stop(EndCause.UNPREPARED, 0);
    }
  }

  private void onDeadline() {
    if (stage == PodStage.WAITING) {
      runner.takeOver(this);
    }
    if (stage.isActive() && !isEnding()) {
      reporter.markFailed(
          "DeadlineExceeded", "Pod was active on the node longer than the specified deadline");
      stop(EndCause.DEADLINE, PodSpec.terminationGraceSeconds(pod));
    }
  }

  /** Evicts the pod: it uses more of the machine than it may. */
  void evict(String why) {
    if (stage.isActive() && !isEnding()) {
      reporter.markFailed("Evicted", why);
      node.events().evicted(pod, why);
      stop(EndCause.EVICTED, EVICTION_SECONDS);
    }
  }

  /**
   * Evicts the pod, which no longer tolerates a taint of its node: writes that to its status, and
   * deletes it.
   */
  void evictForTaint() {
    if (isRunning()) {
      node.events().evictedForTaint(pod);
      reporter.reportDisruption(TaintEviction.disruption());
      PodDeletion.request(node, pod);
    }
  }

  /** Called when the object changed. */
  void onUpdate(KubeObject newest) {
    if (broken) {
      pod = newest;
      leaveIfSeen();
    } else {
      guard(() -> update(newest));
    }
  }

  private void update(KubeObject newest) {
    if (StatusWriter.isOlder(newest, pod)) {
      return;
    }
    store(newest);
    changedSinceTrim = true;
    switch (stage) {
      case WAITING, PREPARING, TAKING_OVER, RUNNING, ENDING -> {
        if (PodSpec.isFinished(newest)) {
          stop(EndCause.FINISHED_BY_OTHERS, PodSpec.terminationGraceSeconds(newest));
        } else {
          stopIfDeleted();
        }
      }
      case ENDED -> {}
      case UNSAVED, SETTLED -> leaveIfSeen();
    }
  }

  /** Stores the newest state of the pod; the watch reports later what follows from it. */
  private void store(KubeObject newest) {
    boolean changed =
        PodSpec.generation(newest) != PodSpec.generation(pod)
            || PodConditions.hasGateChanged(pod, newest);
    pod = devices.isEmpty() ? newest : PodDevices.assign(newest, devices);
    if (stage == PodStage.WAITING) {
      tolerations = runner.shared(Tolerations.of(pod));
      runner.onWaitingChange(this);
    }
    reporter.record(newest);
    deadline.follow(newest);
    if (changed && isReported()) {
      reporter.schedule();
    }
  }

  /**
   * Called periodically. Frees memory of a pod that has not changed since the last call.
   *
   * @return true if the pod has changed
   */
  boolean trim() {
    boolean changed = changedSinceTrim;
    if (!changed) {
      pod.trim();
      containers.forEach(ContainerLife::trim);
    }
    changedSinceTrim = false;
    return changed;
  }

  /** Called when the object is gone. */
  void onDelete() {
    if (broken) {
      runner.onPodDone(this);
    } else {
      guard(this::vanish);
    }
  }

  private void vanish() {
    if (stage == PodStage.WAITING || stage.isActive()) {
      stop(EndCause.VANISHED, PodSpec.terminationGraceSeconds(pod));
    } else {
      if (stage == PodStage.UNSAVED) {
        node.forget(uid, pod.ref());
      }
      runner.onPodDone(this);
    }
  }

  /** Ends the containers so that the next life of the runner runs them again. */
  void interrupt(boolean now) {
    if (stage.isActive()) {
      containers.forEach(ContainerLife::markInterrupted);
      stop(EndCause.INTERRUPTED, now ? 0 : PodSpec.terminationGraceSeconds(pod));
    }
  }

  /** Detaches from the pod; its containers go on for the runner's next life. */
  void detach() {
    stage = PodStage.SETTLED;
    cancelTimers();
    containers.forEach(ContainerLife::detach);
  }

  /** Called when a container started, became ready or unready, or ended. */
  void onContainerChange() {
    if (!stage.isActive() || (stage.isPreparing() && !isStopping())) {
      return;
    }
    ContainerPlan<ContainerLife> plan = containers.plan(isStopping());
    if (plan.ending() && stage != PodStage.ENDING) {
      stage = PodStage.ENDING;
      containers.forEach(ContainerLife::forbidRestart);
    }
    if (plan.done()) {
      end();
      return;
    }
    plan.start().forEach(container -> container.start(false));
    if (!plan.stop().isEmpty()) {
      Instant killTime = grace.endOr(PodSpec.terminationGraceSeconds(pod));
      plan.stop().forEach(container -> container.endBy(killTime));
    }
    if (!isSilent() && containers.hasReports()) {
      reporter.schedule();
    }
  }

  private void stopIfDeleted() {
    if (pod.deletionTimestamp() == null) {
      return;
    }
    if (stage == PodStage.WAITING && ranBefore) {
      runner.takeOver(this);
    } else {
      stop(EndCause.DELETED, PodSpec.deletionGraceSeconds(pod));
    }
  }

  /** Ends the containers. May be called again, for a better reason or a shorter grace period. */
  private void stop(EndCause why, long graceSeconds) {
    boolean first = cause == null;
    if (first && !why.isSilent()) {
      containers.forEachLive(each -> node.events().stopping(pod, each.name()));
    }
    EndCause strongest = cause == null || why.compareTo(cause) > 0 ? why : cause;
    cause = strongest;
    containers.forEach(ContainerLife::onPodEnd);
    if (stage == PodStage.WAITING) {
      reporter.markFailed(null, "The pod was deleted before it started");
      end();
      return;
    }
    if (stage == PodStage.TAKING_OVER) {
      adopt();
    }
    changeRecords(strongest);
    grace.endWithin(graceSeconds);
    onContainerChange();
  }

  /**
   * Has it recorded why containers end that end from now on. That the pod failed counts more than
   * that it is deleted, but not if the runner's next life runs it again.
   */
  private void changeRecords(EndCause strongest) {
    PodStatus.Failure failure = strongest == EndCause.INTERRUPTED ? null : reporter.failure();
    String reason = failure == null ? null : failure.reason();
    if (failure != null && reason != null) {
      containers.forEach(
          each -> each.changeRecord(exit -> exit.asFailed(reason, failure.message())));
    } else if (strongest.isExternal()) {
      containers.forEach(each -> each.changeRecord(Exit::asStopped));
    }
  }

  private void end() {
    stage = PodStage.ENDED;
    cancelTimers();
    if (isSilent()) {
      settleSilently();
    } else {
      reporter.writeLast(this::onLastStatus);
    }
    runner.onPodEnd(this);
  }

  private void cancelTimers() {
    if (inputWait != null) {
      inputWait.cancel();
    }
    grace.cancel();
    deadline.cancel();
    reporter.cancel();
    endDiskWatch.run();
    endTokenRenewal.run();
  }

  private void settleSilently() {
    stage = PodStage.SETTLED;
    if (cause != EndCause.INTERRUPTED) {
      node.forget(uid, pod.ref());
      confirmDeletion();
      runner.onPodDone(this);
    }
  }

  /**
   * Called when the last status is durable or refused. If durable, the runtime's own record of the
   * outcome is forgotten. If refused, the next life of the runner writes the status again.
   */
  private void onLastStatus(boolean durable) {
    stage = durable ? PodStage.SETTLED : PodStage.UNSAVED;
    if (durable) {
      node.forget(uid, pod.ref());
    }
    leaveIfSeen();
  }

  /**
   * Leaves once the watch has shown the last phase, too. Otherwise an older event that arrives late
   * would look like a pod that nobody runs.
   */
  private void leaveIfSeen() {
    confirmDeletion();
    if (PodSpec.isFinished(pod)) {
      runner.onPodDone(this);
    }
  }

  /** Confirms that nothing of a deleted pod runs any more, so that its object goes. */
  private void confirmDeletion() {
    if (!deletionConfirmed
        && cause != EndCause.VANISHED
        && PodDeletion.isAwaitingConfirmation(pod)) {
      deletionConfirmed = true;
      PodDeletion.confirm(unguarded, pod);
    }
  }
}
