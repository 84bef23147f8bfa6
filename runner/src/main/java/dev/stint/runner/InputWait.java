package dev.stint.runner;

import dev.stint.model.ObjectRef;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.spec.InputRefs;
import dev.stint.runner.spec.PodInputs;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the config maps and secrets that a pod names exist, before its containers start.
 * Retries with back-off while one is missing, and tells the containers what they wait for. On the
 * loop only.
 */
final class InputWait {

  private final NodePorts node;
  private final PodLife life;
  private final List<ContainerLife> containers;
  private final boolean takenOver;
  private Instant giveUp = Instant.MAX;
  private int looks;
  private boolean over;
  private Runnable cancelNext = () -> {};

  /**
   * Creates a wait that has not begun.
   *
   * @param takenOver true if the pod runs already, so that nothing may hold it up
   */
  InputWait(NodePorts node, PodLife life, List<ContainerLife> containers, boolean takenOver) {
    this.node = node;
    this.life = life;
    this.containers = containers;
    this.takenOver = takenOver;
  }

  /**
   * Begins to look.
   *
   * @param startTime the time when the pod was accepted, from which the timeout counts
   */
  void begin(Instant startTime) {
    giveUp = startTime.plus(node.options().inputsTimeout());
    look();
  }

  void cancel() {
    over = true;
    cancelNext.run();
  }

  private void look() {
    Set<ObjectRef> refs = InputRefs.of(life.pod());
    if (refs.isEmpty()) {
      life.prepared(PodInputs.NONE);
    } else {
      InputFetch.start(node, refs, this::found);
    }
  }

  private void found(PodInputs inputs) {
    if (over) {
      return;
    }
    List<PodStatus.Container> before = views();
    InputRefs.Missing missing = tellContainers(inputs);
    if (missing == null || takenOver) {
      life.prepared(inputs);
    } else if (!node.now().isBefore(giveUp)) {
      String why =
          missing.volume().isEmpty()
              ? AttemptListener.CONFIG_ERROR
              : AttemptListener.CONTAINER_CREATING;
      life.unprepared(new ContainerState.Waiting(why, missing.what()));
    } else {
      if (!views().equals(before)) {
        life.waitsOn();
        tellEvent(missing);
      }
      looks++;
      Duration left = Duration.between(node.now(), giveUp);
      Duration delay = RetryDelays.PREPARATION.delay(looks);
      cancelNext = node.after(delay.compareTo(left) < 0 ? delay : left, this::look);
    }
  }

  /**
   * Tells each container what it waits for: missing volumes of the pod, its own missing inputs, or
   * those of another container. Returns the first missing input; null if none is missing.
   */
  private InputRefs.@Nullable Missing tellContainers(PodInputs inputs) {
    InputRefs.Missing volume = InputRefs.missingForVolumes(life.pod(), inputs);
    if (volume != null) {
      containers.forEach(container -> container.waitingForPod(volume.what()));
      return volume;
    }
    Map<ContainerLife, InputRefs.Missing> missing = new LinkedHashMap<>();
    for (ContainerLife container : containers) {
      InputRefs.Missing own = InputRefs.missing(life.pod(), container.spec(), inputs);
      if (own != null) {
        missing.put(container, own);
      }
    }
    InputRefs.Missing first = missing.isEmpty() ? null : missing.values().iterator().next();
    for (ContainerLife container : containers) {
      InputRefs.Missing why = missing.getOrDefault(container, first);
      container.waiting(
          why == null
              ? null
              : new ContainerState.Waiting(AttemptListener.CONFIG_ERROR, why.what()));
    }
    return first;
  }

  private void tellEvent(InputRefs.Missing missing) {
    if (missing.volume().isEmpty()) {
      node.events().failed(life.pod(), missing.what());
    } else {
      node.events().failedMount(life.pod(), missing.volume(), missing.what());
    }
  }

  private List<PodStatus.Container> views() {
    return containers.stream().map(ContainerLife::view).toList();
  }
}
