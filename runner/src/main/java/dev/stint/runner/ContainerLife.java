package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One container of a pod, over all its runs. */
final class ContainerLife {
  /** A run that lasted this long ends the series of crashes that the back-off counts. */
  private static final Duration STEADY = Duration.ofMinutes(10);

  private final Node node;
  private final PodLife pod;
  private final ObjectNode container;
  private ContainerState state = new ContainerState.Waiting("ContainerCreating", "");
  private @Nullable Exit last;
  private @Nullable Exit beforeLast;
  private int restartCount;
  private int crashes;
  private String containerId = "";
  private @Nullable Attempt attempt;
  private Runnable cancelRestart = () -> {};

  ContainerLife(Node node, PodLife pod, ObjectNode container) {
    this.node = node;
    this.pod = pod;
    this.container = container;
  }

  void start(boolean adoptOnly) {
    ContainerRun run =
        new ContainerRun(pod.pod(), container, restartCount, adoptOnly, PodInputs.NONE);
    attempt = node.runtime().start(run, new Listener());
  }

  boolean ended() {
    return state instanceof ContainerState.Terminated;
  }

  /** Whether something of the container may be running. */
  boolean live() {
    return attempt != null;
  }

  void signal(Attempt.Signal signal) {
    if (attempt != null) {
      attempt.signal(signal);
    }
  }

  void setAside() {
    if (attempt != null) {
      attempt.setAside();
    }
  }

  /** Sees to it that the container is not started again. */
  void noRestart() {
    cancelRestart.run();
    if (attempt == null && last != null && !ended()) {
      state = new ContainerState.Terminated(last);
      last = beforeLast;
    }
  }

  void cancelRestart() {
    cancelRestart.run();
  }

  PodStatus.Container view() {
    return new PodStatus.Container(name(), image(), state, last, restartCount, containerId);
  }

  private String name() {
    String name = Json.text(container, "name");
    return name == null ? "" : name;
  }

  private String image() {
    String image = Json.text(container, "image");
    return image == null ? "" : image;
  }

  private void started(Started started) {
    containerId = started.containerId();
    if (started.restartCount() > restartCount) {
      restartCount = started.restartCount();
      crashes = restartCount;
      last = started.previous();
    }
    state = new ContainerState.Running(started);
    pod.changed();
  }

  private void exited(Exit exit) {
    attempt = null;
    if (pod.stopping() || !PodSpec.restarts(pod.pod(), exit)) {
      state = new ContainerState.Terminated(exit);
    } else {
      restartAfter(exit);
    }
    pod.changed();
  }

  private void restartAfter(Exit exit) {
    boolean steady = Duration.between(exit.startedAt(), exit.finishedAt()).compareTo(STEADY) >= 0;
    Duration delay = BackOff.CRASH_LOOP.after(steady ? 0 : crashes);
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
      cancelRestart = node.after(left, this::restart);
    } else {
      restart();
    }
  }

  private void restart() {
    if (!pod.stopping() && attempt == null && !ended()) {
      restartCount++;
      start(false);
    }
  }

  /** Re-enters the loop. */
  private final class Listener implements AttemptListener {
    @Override
    public void started(Started started) {
      node.loop().execute(() -> ContainerLife.this.started(started));
    }

    @Override
    public void exited(Exit exit) {
      node.loop().execute(() -> ContainerLife.this.exited(exit));
    }
  }
}
