package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.policy.ContainerPlan;
import dev.stint.runner.policy.CrashBackoff;
import dev.stint.runner.policy.RestartPolicy;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.PodSpec;
import dev.stint.runner.status.ContainerState;
import dev.stint.runner.status.PodStatus;
import dev.stint.runner.status.StoredContainer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The life of one container of a pod, over all its runs. On the loop only. */
final class ContainerLife implements ContainerPlan.Part {
  private final NodePorts node;
  private final PodLife pod;
  private final ObjectNode container;
  private final ContainerRole role;
  private final ContainerState.Waiting turn;
  private final CrashBackoff backoff = new CrashBackoff();
  private ContainerState state;
  private @Nullable Exit last;
  private @Nullable Exit beforeLast;
  private StoredContainer stored = StoredContainer.NONE;
  private int restartCount;
  private String containerId = "";
  private String imageId = "";
  private @Nullable String podIp;

  /** True if the next container in order may begin. */
  private boolean passed;

  /** The newest run; null if a start was never requested. */
  private @Nullable ContainerRun newest;

  /** Null unless a process of the container may be running. */
  private @Nullable CurrentRun current;

  private Runnable cancelRestart = () -> {};

  /**
   * Creates a container that is not started yet.
   *
   * @param waiting the reason why not, such as {@code PodInitializing}
   */
  ContainerLife(
      NodePorts node, PodLife pod, ObjectNode container, ContainerRole role, String waiting) {
    this.node = node;
    this.pod = pod;
    this.container = container;
    this.role = role;
    this.turn = new ContainerState.Waiting(waiting, "");
    this.state = turn;
  }

  /**
   * Restores the state from the pod's stored status: a container that ended for good stays ended.
   *
   * @param initialized true if all init containers were done; then a sidecar holds up no other
   *     container
   */
  void recall(StoredContainer known, boolean initialized) {
    stored = known;
    if (role == ContainerRole.SIDECAR) {
      passed = initialized;
    } else if (known.exit() != null) {
      last = known.last();
      restartCount = known.restartCount();
      containerId = known.containerId();
      imageId = known.imageId();
      terminate(known.exit());
    }
  }

  /** Starts the container; or only takes over what an earlier life left of it. */
  void start(boolean adoptOnly) {
    ContainerRun run =
        new ContainerRun(
            pod.pod(),
            container,
            restartCount,
            adoptOnly,
            pod.inputs(),
            node.options().repeatsLost().test(pod.pod()),
            stored.told());
    newest = run;
    Attempt attempt = node.runtime().start(run, new Listener(run.pod()));
    current = new CurrentRun(node, pod, this, run, attempt);
  }

  /** Drops the parsed tree of the pod as it was at the start; it is rarely read again. */
  void trim() {
    if (newest != null) {
      newest.pod().trim();
    }
  }

  @Override
  public ContainerRole role() {
    return role;
  }

  @Override
  public boolean hasBegun() {
    return newest != null || state instanceof ContainerState.Terminated;
  }

  @Override
  public boolean isLive() {
    return current != null;
  }

  @Override
  public Optional<Exit> finalExit() {
    return state instanceof ContainerState.Terminated(Exit exit)
        ? Optional.of(exit)
        : Optional.empty();
  }

  @Override
  public boolean hasPassed() {
    return passed;
  }

  boolean isRunning() {
    return state instanceof ContainerState.Running;
  }

  String name() {
    String name = Json.text(container, "name");
    return name == null ? "" : name;
  }

  ObjectNode spec() {
    return container;
  }

  /** Sets the reason why a container that has not begun waits; null for its turn. */
  void setWaiting(ContainerState.@Nullable Waiting why) {
    if (!hasBegun()) {
      state = why == null ? turn : why;
    }
  }

  /** Sets what the whole pod waits for, if the container has not begun. */
  void setWaitingForPod(String what) {
    setWaiting(new ContainerState.Waiting(turn.reason(), what));
  }

  /** True if the container has a state to report. */
  boolean hasReport() {
    return !state.equals(turn) || last != null;
  }

  /** Ends the current run, if any, at this time at the latest. */
  void endBy(Instant time) {
    if (current != null) {
      current.endBy(time);
    }
  }

  /** Changes the exit that is recorded, if the current run ends from now on. */
  void changeRecord(UnaryOperator<Exit> change) {
    if (current != null) {
      current.changeRecord(change);
    }
  }

  /** Marks the run as interrupted: the runner's next life runs it again. */
  void markInterrupted() {
    if (current != null) {
      current.markInterrupted();
    }
  }

  /** Called when the pod ends. Liveness no longer matters then. */
  void onPodEnd() {
    if (current != null) {
      current.onPodEnd();
    }
  }

  /** Prevents another start of the container. */
  void forbidRestart() {
    cancelRestart.run();
    if (current == null && last != null && finalExit().isEmpty()) {
      terminate(last);
      last = beforeLast;
    }
  }

  /** Detaches from the current run, which goes on for the runner's next life. */
  void detach() {
    cancelRestart.run();
    closeRun();
  }

  PodStatus.Container status() {
    String image = Json.text(container, "image");
    return new PodStatus.Container(
        name(),
        image == null ? "" : image,
        role,
        state,
        hasForgottenRestarts() && last == null ? stored.last() : last,
        Math.max(restartCount, stored.restartCount()),
        containerId,
        imageId,
        passed,
        current != null && current.isStarted(),
        current == null ? role == ContainerRole.INIT && passed : current.isReady());
  }

  /**
   * True if fewer restarts are known than were told before, such as when nothing is left of a
   * container: they stay told, since its Job may have counted them.
   */
  private boolean hasForgottenRestarts() {
    return restartCount < stored.restartCount();
  }

  /** Returns the pod's address, if this container knows it. */
  Optional<String> podIp() {
    return Optional.ofNullable(podIp);
  }

  private void onWaiting(ContainerState.Waiting why) {
    if (current != null) {
      current.onWaiting(why);
      state = why;
      pod.onContainerChange();
    }
  }

  private void onProgress(String reason) {
    if (current != null) {
      current.onProgress(reason);
    }
  }

  private void onStarted(StartedContainer info) {
    if (current == null) {
      return;
    }
    containerId = info.containerId();
    imageId = info.imageId();
    podIp = info.podIp();
    if (info.restartCount() > restartCount) {
      restartCount = info.restartCount();
      backoff.restore(restartCount);
      last = info.previous();
    }
    current.onStarted(info, stored);
  }

  /** Called when the container runs and its postStart hook is done. */
  void onRunning(StartedContainer info) {
    state = new ContainerState.Running(info);
  }

  /** Called when the startup probe passed, or there is none. */
  void onStartupPassed() {
    passed = passed || role == ContainerRole.SIDECAR;
  }

  private void onExited(Exit exit) {
    closeRun();
    if (exit.reason().equals(Exit.START_ERROR)) {
      node.events().failed(pod.pod(), exit.message());
    }
    if (pod.isEnding() || !mayRestart(exit)) {
      terminate(exit);
    } else {
      restartAfter(exit);
    }
    pod.onContainerChange();
  }

  /** True if the container is started again after this end. */
  boolean mayRestart(Exit exit) {
    return RestartPolicy.mayRestart(PodSpec.restartPolicy(pod.pod()), role, container, exit);
  }

  private void terminate(Exit exit) {
    state = new ContainerState.Terminated(exit);
    if (role == ContainerRole.INIT) {
      passed = exit.code() == 0;
    }
  }

  private void closeRun() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  private void restartAfter(Exit exit) {
    Duration delay = backoff.next(exit);
    beforeLast = last;
    last = exit;
    KubeObject owner = pod.pod();
    state =
        new ContainerState.Waiting(
            "CrashLoopBackOff",
            "back-off %ds restarting failed container=%s pod=%s_%s(%s)"
                .formatted(
                    delay.toSeconds(), name(), owner.name(), owner.namespace(), owner.uid()));
    Duration left = delay.minus(Duration.between(exit.finishedAt(), node.now()));
    if (left.isPositive()) {
      node.events().backOff(owner, name());
      cancelRestart = node.after(left, this::restart);
    } else {
      restart();
    }
  }

  private void restart() {
    if (!pod.isEnding() && current == null && finalExit().isEmpty()) {
      restartCount++;
      start(false);
    }
  }

  @Override
  public String toString() {
    return "container " + name() + " of " + pod.pod().ref() + " (uid " + pod.uid() + ")";
  }

  /** Re-enters the loop. */
  private final class Listener implements AttemptListener {
    private final KubeObject started;

    /**
     * @param started the pod as it was at the start
     */
    Listener(KubeObject started) {
      this.started = started;
    }

    @Override
    public void onWaiting(String reason, String message) {
      ContainerState.Waiting why = new ContainerState.Waiting(reason, message);
      node.loop().execute(() -> ContainerLife.this.onWaiting(why));
    }

    @Override
    public void onProgress(String reason, String message) {
      node.loop()
          .execute(() -> {
            node.events().progress(started, reason, message);
            ContainerLife.this.onProgress(reason);
          });
    }

    @Override
    public void onStarted(StartedContainer info) {
      node.loop().execute(() -> ContainerLife.this.onStarted(info));
    }

    @Override
    public void onExited(Exit exit) {
      node.loop().execute(() -> ContainerLife.this.onExited(exit));
    }
  }
}
