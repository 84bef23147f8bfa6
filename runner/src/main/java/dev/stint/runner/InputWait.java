package dev.stint.runner;

import dev.stint.model.ObjectRef;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemSource;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.spec.InputRefs;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.status.ContainerState;
import dev.stint.runner.status.PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private int fetches;
  private boolean cancelled;
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
   * Begins to fetch them.
   *
   * @param startTime the time when the pod was accepted, from which the timeout counts
   */
  void begin(Instant startTime) {
    giveUp = startTime.plus(node.options().inputsTimeout());
    fetch();
  }

  void cancel() {
    cancelled = true;
    cancelNext.run();
  }

  private void fetch() {
    Optional<ItemSource> list = ItemSource.of(life.pod());
    Set<ObjectRef> refs = InputRefs.of(life.pod(), list);
    Optional<Item> item = list.flatMap(source -> InputFetch.knownItem(node, source, life.pod()));
    if (refs.isEmpty() && list.isEmpty() && TokenFetch.isNeedless(node, life.pod())) {
      life.onInputs(PodInputs.NONE);
    } else if (refs.isEmpty() && item.isPresent() && TokenFetch.isNeedless(node, life.pod())) {
      life.onInputs(new PodInputs(Map.of(), Map.of(), item.get()));
    } else {
      InputFetch.start(node, refs, life.pod(), this::onFetched);
    }
  }

  private void onFetched(PodInputs inputs) {
    if (cancelled) {
      return;
    }
    List<PodStatus.Container> before = statuses();
    InputRefs.Missing missing = updateContainers(inputs);
    if (missing == null || takenOver) {
      life.onInputs(inputs);
    } else if (!node.now().isBefore(giveUp)) {
      String why =
          missing.volume().isEmpty()
              ? AttemptListener.CONFIG_ERROR
              : AttemptListener.CONTAINER_CREATING;
      life.onInputsTimeout(new ContainerState.Waiting(why, missing.what()));
    } else {
      if (!statuses().equals(before)) {
        life.onWaitChange();
        recordEvent(missing);
      }
      fetches++;
      Duration left = Duration.between(node.now(), giveUp);
      Duration delay = RetryDelays.PREPARATION.delay(fetches);
      cancelNext = node.after(delay.compareTo(left) < 0 ? delay : left, this::fetch);
    }
  }

  /**
   * Tells each container what it waits for: missing volumes of the pod, its own missing inputs, or
   * those of another container. Returns the first missing input; null if none is missing.
   */
  private InputRefs.@Nullable Missing updateContainers(PodInputs inputs) {
    InputRefs.Missing volume = InputRefs.missingForVolumes(life.pod(), inputs);
    if (volume != null) {
      containers.forEach(container -> container.setWaitingForPod(volume.what()));
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
      container.setWaiting(
          why == null
              ? null
              : new ContainerState.Waiting(AttemptListener.CONFIG_ERROR, why.what()));
    }
    return first;
  }

  private void recordEvent(InputRefs.Missing missing) {
    if (missing.volume().isEmpty()) {
      node.events().failed(life.pod(), missing.what());
    } else {
      node.events().failedMount(life.pod(), missing.volume(), missing.what());
    }
  }

  private List<PodStatus.Container> statuses() {
    return containers.stream().map(ContainerLife::status).toList();
  }
}
