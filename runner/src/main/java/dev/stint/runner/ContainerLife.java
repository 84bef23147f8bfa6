package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.policy.ContainerPlan;
import dev.stint.runner.policy.RestartPolicy;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodSpec;
import dev.stint.runner.spec.ProbeSpec;
import dev.stint.runner.status.ContainerState;
import dev.stint.runner.status.PodStatus;
import dev.stint.runner.status.StoredContainer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The life of one container of a pod, over all its runs. On the loop only. */
final class ContainerLife implements ContainerPlan.Part {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerLife.class);

  /** A run that lasted this long ends the series of crashes that the back-off counts. */
  private static final Duration STEADY = Duration.ofMinutes(10);

  /** A postStart hook has no timeout. */
  private static final Duration NO_TIMEOUT = Duration.ofDays(36_500);

  private final NodePorts node;
  private final PodLife pod;
  private final ObjectNode container;
  private final ContainerRole role;
  private final ContainerState.Waiting turn;
  private ContainerState state;
  private @Nullable Exit last;
  private @Nullable Exit beforeLast;
  private StoredContainer stored = StoredContainer.NONE;
  private int restartCount;
  private int crashes;
  private String containerId = "";
  private String imageId = "";
  private @Nullable String podIp;
  private ContainerState.@Nullable Waiting heldUp;
  private boolean begun;
  private boolean passed;
  private boolean started;
  private boolean ready;
  private @Nullable Attempt attempt;
  private @Nullable ContainerRun newest;
  private @Nullable ContainerTermination ending;
  private @Nullable ContainerProbes probing;
  private Runnable cancelHook = () -> {};
  private Runnable cancelRestart = () -> {};
  private Runnable cancelPatience = () -> {};

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
      begun = true;
      last = known.last();
      restartCount = known.restartCount();
      containerId = known.containerId();
      imageId = known.imageId();
      terminate(known.exit());
    }
  }

  void start(boolean adoptOnly) {
    begun = true;
    ContainerRun run =
        new ContainerRun(pod.pod(), container, restartCount, adoptOnly, pod.inputs());
    newest = run;
    Attempt next = node.runtime().start(run, new Listener(run));
    attempt = next;
    ending = new ContainerTermination(node, run, next);
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
    return begun;
  }

  @Override
  public boolean isLive() {
    return attempt != null;
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

  String name() {
    String name = Json.text(container, "name");
    return name == null ? "" : name;
  }

  ObjectNode spec() {
    return container;
  }

  /** Sets the reason why a container that has not begun waits; null for its turn. */
  void setWaiting(ContainerState.@Nullable Waiting why) {
    if (!begun) {
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
    if (ending != null) {
      ending.endBy(time, state instanceof ContainerState.Running);
    }
  }

  /** Marks the run as stopped: its end from now on is not a failure of its own. */
  void markStopped() {
    if (attempt != null) {
      attempt.markStopped();
    }
  }

  /** Called when the pod ends. Liveness no longer matters then. */
  void onPodEnd() {
    if (probing != null) {
      probing.onPodEnd();
    }
  }

  void markInterrupted() {
    if (attempt != null) {
      attempt.markInterrupted();
    }
  }

  /** Prevents another start of the container. */
  void forbidRestart() {
    cancelRestart.run();
    if (attempt == null && last != null && finalExit().isEmpty()) {
      terminate(last);
      last = beforeLast;
    }
  }

  /** Detaches from the current run, which continues for the runner's next life. */
  void detach() {
    cancelRestart.run();
    endRun();
  }

  PodStatus.Container status() {
    String image = Json.text(container, "image");
    return new PodStatus.Container(
        name(),
        image == null ? "" : image,
        role,
        state,
        last,
        restartCount,
        containerId,
        imageId,
        passed,
        started,
        ready);
  }

  /** Returns the pod's address, if this container knows it. */
  Optional<String> podIp() {
    return Optional.ofNullable(podIp);
  }

  /**
   * Records that a run can't start yet. The wait is bounded by the same timeout as a missing input.
   */
  private void onWaiting(ContainerState.Waiting why) {
    if (attempt == null) {
      return;
    }
    if (heldUp == null) {
      cancelPatience = node.after(node.options().inputsTimeout(), this::onWaitTimeout);
    }
    if (!why.equals(heldUp)) {
      node.events().heldUp(pod.pod(), why.reason(), why.message());
    }
    heldUp = why;
    state = why;
    pod.onContainerChange();
  }

  private void endWait() {
    heldUp = null;
    cancelPatience.run();
  }

  private void onWaitTimeout() {
    if (heldUp != null) {
      pod.onInputsTimeout(heldUp);
    }
  }

  private void onStarted(ContainerRun run, StartedContainer info) {
    endWait();
    containerId = info.containerId();
    imageId = info.imageId();
    podIp = info.podIp();
    if (info.restartCount() > restartCount) {
      restartCount = info.restartCount();
      crashes = restartCount;
      last = info.previous();
    }
    ObjectNode lifecycle = Json.objectAt(container, "lifecycle");
    Handler hook = Handler.of(Json.objectAt(lifecycle, "postStart"), container);
    if (hook == null || stored.wasRunning(containerId)) {
      onRunning(run, info);
    } else {
      cancelHook =
          HandlerCall.start(node, run, hook, NO_TIMEOUT, result -> onHookResult(run, info, result));
    }
  }

  private void onHookResult(ContainerRun run, StartedContainer info, Handler.Result result) {
    if (result.good()) {
      onRunning(run, info);
    } else {
      LOG.warn("The postStart hook of {} failed, ending the container: {}", this, result.message());
      String why = "PostStartHook failed: " + result.message();
      node.events().hookFailed(pod.pod(), "FailedPostStartHook", why);
      endBy(node.now().plusSeconds(PodSpec.boundedGraceSeconds(pod.pod())));
    }
  }

  private void onRunning(ContainerRun run, StartedContainer info) {
    state = new ContainerState.Running(info);
    ContainerProbes fresh = new ContainerProbes(node, run, info.at(), new Health());
    if (pod.isStopping()) {
      fresh.onPodEnd();
    }
    fresh.start(stored.hasStarted(containerId));
    probing = fresh;
    pod.onContainerChange();
  }

  private void onExited(Exit exit) {
    endRun();
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

  private boolean mayRestart(Exit exit) {
    return RestartPolicy.mayRestart(PodSpec.restartPolicy(pod.pod()), role, container, exit);
  }

  private Exit killedNow() {
    int signal = Attempt.Signal.KILL.number();
    return Exit.of(128 + signal, signal, node.now(), node.now());
  }

  private void terminate(Exit exit) {
    state = new ContainerState.Terminated(exit);
    if (role == ContainerRole.INIT) {
      passed = exit.code() == 0;
      ready = passed;
    }
  }

  private void endRun() {
    attempt = null;
    endWait();
    ready = false;
    started = false;
    cancelHook.run();
    if (ending != null) {
      ending.cancel();
      ending = null;
    }
    if (probing != null) {
      probing.cancel();
      probing = null;
    }
  }

  private void restartAfter(Exit exit) {
    boolean steady = Duration.between(exit.startedAt(), exit.finishedAt()).compareTo(STEADY) >= 0;
    Duration delay = RetryDelays.CRASH_LOOP.delay(steady ? 0 : crashes);
    crashes = steady ? 1 : crashes + 1;
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
    if (!pod.isEnding() && attempt == null && finalExit().isEmpty()) {
      restartCount++;
      start(false);
    }
  }

  @Override
  public String toString() {
    return "container " + name() + " of " + pod.pod().ref() + " (uid " + pod.uid() + ")";
  }

  /** Receives the results of the probes. */
  private final class Health implements ContainerProbes.Listener {
    @Override
    public void onStarted() {
      started = true;
      passed = passed || role == ContainerRole.SIDECAR;
      reportChange();
    }

    @Override
    public void onReady(boolean now) {
      if (ready != now) {
        ready = now;
        reportChange();
      }
    }

    @Override
    public void onFailure(String which, String why) {
      node.events().unhealthy(pod.pod(), which, why);
    }

    @Override
    public void onUnhealthy(ProbeSpec probe, String which, String why) {
      LOG.info(
          "The {} probe of {} failed, ending the container: {}", which, ContainerLife.this, why);
      node.events().killing(pod.pod(), name(), which, mayRestart(killedNow()));
      Long own = probe.graceSeconds();
      long grace = own == null ? PodSpec.terminationGraceSeconds(pod.pod()) : own;
      endBy(node.now().plusSeconds(Math.min(grace, PodSpec.FOREVER_SECONDS)));
    }

    /**
     * Reports a change, unless the probes are just being started: that is reported with the start.
     */
    private void reportChange() {
      if (probing != null) {
        pod.onContainerChange();
      }
    }
  }

  /** Re-enters the loop. */
  private final class Listener implements AttemptListener {
    private final ContainerRun run;

    Listener(ContainerRun run) {
      this.run = run;
    }

    @Override
    public void onWaiting(String reason, String message) {
      node.loop()
          .execute(() -> ContainerLife.this.onWaiting(new ContainerState.Waiting(reason, message)));
    }

    @Override
    public void onProgress(String reason, String message) {
      node.loop().execute(() -> node.events().news(run.pod(), reason, message));
    }

    @Override
    public void onStarted(StartedContainer started) {
      node.loop().execute(() -> ContainerLife.this.onStarted(run, started));
    }

    @Override
    public void onExited(Exit exit) {
      node.loop().execute(() -> ContainerLife.this.onExited(exit));
    }
  }
}
