package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.policy.ContainerPlan;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.PodSpec;
import dev.stint.runner.status.ContainerState;
import dev.stint.runner.status.PodConditions;
import dev.stint.runner.status.PodStatus;
import dev.stint.runner.status.StoredContainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * The containers of one pod: init containers and sidecars in their order, then the main ones. On
 * the loop only.
 */
record PodContainers(List<ContainerLife> all) {
  /** The containers of a pod that waits. */
  static final PodContainers NONE = new PodContainers(List.of());

  /** Creates the containers of a pod; none is started yet. */
  static PodContainers of(NodePorts node, PodLife life) {
    List<ContainerLife> lives = new ArrayList<>();
    List<ObjectNode> init = PodSpec.initContainers(life.pod());
    String waiting =
        init.isEmpty() ? AttemptListener.CONTAINER_CREATING : ContainerState.POD_INITIALIZING;
    for (ObjectNode each : init) {
      lives.add(new ContainerLife(node, life, each, ContainerRole.ofInitContainer(each), waiting));
    }
    for (ObjectNode each : PodSpec.containers(life.pod())) {
      lives.add(new ContainerLife(node, life, each, ContainerRole.MAIN, waiting));
    }
    return new PodContainers(lives);
  }

  /** Restores the states of the containers from the pod's stored status. */
  void recall(KubeObject pod) {
    boolean initialized =
        PodConditions.isTrue(Json.arrayAt(pod.status(), "conditions"), "Initialized");
    for (ContainerLife container : all) {
      container.recall(StoredContainer.of(pod, container.name()), initialized);
    }
  }

  /** Takes over what an earlier life left of containers that have not begun, but starts none. */
  void adopt() {
    all.stream().filter(each -> !each.hasBegun()).forEach(each -> each.start(true));
  }

  /** Takes over sidecars to end them, if the work is over: they may have outlived it. */
  void adoptSidecarsIfWorkIsOver() {
    if (plan(false).ending()) {
      all.stream()
          .takeWhile(each -> each.role() != ContainerRole.INIT || each.hasPassed())
          .filter(each -> each.role() == ContainerRole.SIDECAR)
          .forEach(each -> each.start(true));
    }
  }

  /**
   * Decides the next step.
   *
   * @param stopping true if the pod is to end before its time
   */
  ContainerPlan<ContainerLife> plan(boolean stopping) {
    return ContainerPlan.of(all, stopping);
  }

  void forEach(Consumer<ContainerLife> action) {
    all.forEach(action);
  }

  void forEachLive(Consumer<ContainerLife> action) {
    all.stream().filter(ContainerLife::isLive).forEach(action);
  }

  /** True if a container has a state to report. */
  boolean hasReports() {
    return all.stream().anyMatch(ContainerLife::hasReport);
  }

  List<PodStatus.Container> statuses() {
    return all.stream().map(ContainerLife::status).toList();
  }

  /** Returns the pod's address, if a container knows it. */
  Optional<String> podIp() {
    return all.stream().flatMap(container -> container.podIp().stream()).findFirst();
  }

  /** Returns the end of a container that was lost with a restart of the machine. */
  Optional<Exit> lostWithMachine() {
    return all.stream()
        .filter(container -> container.role() != ContainerRole.SIDECAR)
        .flatMap(container -> container.finalExit().stream())
        .filter(Exit::isLost)
        .findFirst();
  }
}
