package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodSpec;
import dev.stint.runner.spec.ProbeSpec;
import dev.stint.runner.status.ContainerState;
import dev.stint.runner.status.StoredContainer;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The current run of a container: its wait for a start, its postStart hook, its probes and its
 * termination. On the loop only.
 */
final class CurrentRun {
  private static final Logger LOG = LoggerFactory.getLogger(CurrentRun.class);

  /** A postStart hook has no timeout. */
  private static final Duration NO_TIMEOUT = Duration.ofDays(36_500);

  private enum Health {
    /** The startup probe has not passed yet. */
    STARTING,
    UNREADY,
    READY
  }

  private final NodePorts node;
  private final PodLife pod;
  private final ContainerLife container;
  private final ContainerRun run;
  private final Attempt attempt;
  private final ContainerTermination termination;
  private Health health = Health.STARTING;
  private ContainerState.@Nullable Waiting wait;

  /** True while an image is pulled, which may take long, and is no reason to fail. */
  private boolean pulling;

  /** True if the wait had its timeout meanwhile. */
  private boolean overdue;

  private @Nullable ContainerProbes probes;

  /** The container that was started last; null before. */
  private @Nullable String startedId;

  /** True once a probe could not be carried out; only the first time is logged. */
  private boolean probeErred;

  private Runnable cancelWait = () -> {};
  private Runnable cancelHook = () -> {};

  CurrentRun(
      NodePorts node, PodLife pod, ContainerLife container, ContainerRun run, Attempt attempt) {
    this.node = node;
    this.pod = pod;
    this.container = container;
    this.run = run;
    this.attempt = attempt;
    this.termination = new ContainerTermination(node, run, attempt);
  }

  /** True if the container runs and its startup probe has passed. */
  boolean isStarted() {
    return health != Health.STARTING;
  }

  boolean isReady() {
    return health == Health.READY;
  }

  /** Ends the container at this time at the latest. */
  void endBy(Instant time) {
    termination.endBy(time, container.isRunning());
  }

  /** Changes the exit that is recorded, if the run ends from now on. */
  void changeRecord(UnaryOperator<Exit> change) {
    attempt.changeRecord(change);
  }

  void markInterrupted() {
    attempt.markInterrupted();
  }

  /** Called when the pod ends. Liveness no longer matters then. */
  void onPodEnd() {
    if (probes != null) {
      probes.onPodEnd();
    }
  }

  /** Called when the run cannot start yet. The wait has the same timeout as a missing input. */
  void onWaiting(ContainerState.Waiting why) {
    if (wait == null) {
      cancelWait = node.after(node.options().inputsTimeout(), this::onWaitTimeout);
    }
    if (!why.equals(wait)) {
      node.events().heldUp(pod.pod(), why.reason(), why.message());
    }
    wait = why;
    pulling = false;
    if (overdue) {
      pod.onInputsTimeout(why);
    }
  }

  /** Called when the runtime tells of progress before the start. */
  void onProgress(String reason) {
    if (reason.equals(AttemptListener.PULLED)
        && wait != null
        && AttemptListener.IMAGE_REASONS.contains(wait.reason())) {
      endWait();
    }
    pulling = reason.equals(AttemptListener.PULLING);
  }

  private void onWaitTimeout() {
    if (pulling) {
      overdue = true;
    } else if (wait != null) {
      pod.onInputsTimeout(wait);
    }
  }

  private void endWait() {
    wait = null;
    pulling = false;
    overdue = false;
    cancelWait.run();
  }

  /**
   * Called when the container was started, or taken over. That may be told again, and another
   * attempt may follow in the same run if one was lost: its hook and probes begin anew.
   *
   * @param stored its state in an earlier life: a hook that was done is not repeated
   */
  void onStarted(StartedContainer info, StoredContainer stored) {
    endWait();
    if (info.containerId().equals(startedId)) {
      return;
    }
    startedId = info.containerId();
    cancelChecks();
    probes = null;
    health = Health.STARTING;
    ObjectNode lifecycle = Json.objectAt(run.container(), "lifecycle");
    Handler hook = Handler.of(Json.objectAt(lifecycle, "postStart"), run.container());
    if (hook == null || stored.wasRunning(info.containerId())) {
      onRunning(info, stored);
    } else {
      cancelHook =
          HandlerCall.start(
              node, run, hook, NO_TIMEOUT, result -> onHookResult(info, stored, result));
    }
  }

  private void onHookResult(StartedContainer info, StoredContainer stored, Handler.Result result) {
    if (result.good()) {
      onRunning(info, stored);
    } else {
      LOG.warn(
          "The postStart hook of {} failed; ending the container: {}", container, result.message());
      String why = "PostStartHook failed: " + result.message();
      node.events().hookFailed(pod.pod(), "FailedPostStartHook", why);
      endBy(node.now().plusSeconds(PodSpec.boundedGraceSeconds(pod.pod())));
    }
  }

  private void onRunning(StartedContainer info, StoredContainer stored) {
    container.onRunning(info);
    ContainerProbes fresh = new ContainerProbes(node, run, info.at(), new ProbeListener());
    if (pod.isStopping()) {
      fresh.onPodEnd();
    }
    fresh.start(stored.hasStarted(info.containerId()));
    probes = fresh;
    pod.onContainerChange();
  }

  /** Cancels all timers and probes: the run has ended, or goes on for the runner's next life. */
  void close() {
    endWait();
    cancelChecks();
    termination.cancel();
  }

  private void cancelChecks() {
    cancelHook.run();
    if (probes != null) {
      probes.cancel();
    }
  }

  /** Receives the results of the probes. */
  private final class ProbeListener implements ContainerProbes.Listener {
    @Override
    public void onStarted() {
      health = Health.UNREADY;
      container.onStartupPassed();
      reportChange();
    }

    @Override
    public void onReady(boolean now) {
      if (isReady() != now) {
        health = now ? Health.READY : Health.UNREADY;
        reportChange();
      }
    }

    @Override
    public void onFailure(String which, String why) {
      node.events().unhealthy(pod.pod(), which, why);
    }

    @Override
    public void onError(String which, String why) {
      if (!probeErred) {
        probeErred = true;
        LOG.warn("Cannot carry out the {} probe of {}: {}", which, container, why);
      }
      node.events().probeErred(pod.pod(), which, why);
    }

    @Override
    public void onUnhealthy(ProbeSpec probe, String which, String why) {
      LOG.info("The {} probe of {} failed; ending the container: {}", which, container, why);
      node.events().killing(pod.pod(), container.name(), which, container.mayRestart(killedNow()));
      Long own = probe.graceSeconds();
      long grace = own == null ? PodSpec.terminationGraceSeconds(pod.pod()) : own;
      endBy(node.now().plusSeconds(Math.min(grace, PodSpec.FOREVER_SECONDS)));
    }

    private Exit killedNow() {
      int signal = Attempt.Signal.KILL.number();
      return Exit.of(128 + signal, signal, node.now(), node.now());
    }

    /**
     * Reports a change, unless the probes are just being started: that is reported with the start.
     */
    private void reportChange() {
      if (probes != null) {
        pod.onContainerChange();
      }
    }
  }
}
