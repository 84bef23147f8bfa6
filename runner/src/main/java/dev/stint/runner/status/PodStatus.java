package dev.stint.runner.status;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.pod.PodPhase;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.PodSpec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the status of a pod from the states of its containers, as a kubelet words it.
 *
 * @param failure why the pod itself failed; null if it did not
 * @param startTime null for a pod that was never accepted
 * @param containers init containers and sidecars in their order, then the main ones
 * @param disruption the reason why the pod is ended for the machine's sake; null if it is not
 * @param podIp its own address; null for the machine's
 */
public record PodStatus(
    PodPhase phase,
    @Nullable Failure failure,
    @Nullable Instant startTime,
    List<Container> containers,
    @Nullable Disruption disruption,
    @Nullable String podIp) {
  private static final String LOCALHOST = "127.0.0.1";

  /**
   * The reason why a pod is not to blame for its end, in the words of the condition
   * DisruptionTarget.
   */
  public record Disruption(String reason, String message) {
    public static Disruption ofKubelet(String message) {
      return new Disruption("TerminationByKubelet", message);
    }
  }

  /**
   * Why a pod failed, whatever its containers did.
   *
   * @param reason such as {@code DeadlineExceeded}; null for a pod that never started
   */
  public record Failure(@Nullable String reason, String message) {}

  /**
   * The status of one container.
   *
   * @param last the end of the run before this one; null for none
   * @param containerId the ID of the newest run; empty if there was none
   * @param imageId the ID of its image; empty if there is none
   * @param passed true if the next container may begin; of init containers only
   * @param started true if it runs and its startup probe has passed
   */
  public record Container(
      String name,
      String image,
      ContainerRole role,
      ContainerState state,
      @Nullable Exit last,
      int restartCount,
      String containerId,
      String imageId,
      boolean passed,
      boolean started,
      boolean ready) {
    /** True if it was never seen running. */
    boolean isUntried() {
      return state instanceof ContainerState.Waiting && last == null;
    }

    private boolean isCreating() {
      return last == null
          && state instanceof ContainerState.Waiting waiting
          && waiting.isCreating();
    }

    boolean hasSucceeded() {
      return state instanceof ContainerState.Terminated(Exit exit) && exit.code() == 0;
    }
  }

  /** Returns the phase of a pod that is under way. */
  public static PodPhase phaseUnderWay(List<Container> containers) {
    boolean pending =
        containers.stream()
            .anyMatch(
                each -> each.role() == ContainerRole.MAIN ? each.isUntried() : !each.passed());
    return pending ? PodPhase.Pending : PodPhase.Running;
  }

  /**
   * Returns the phase of a pod whose containers have all ended. The ends of sidecars don't count.
   */
  public static PodPhase lastPhase(List<Container> containers) {
    boolean succeeded =
        containers.stream()
            .filter(each -> each.role() != ContainerRole.SIDECAR)
            .allMatch(Container::hasSucceeded);
    return succeeded && !containers.isEmpty() ? PodPhase.Succeeded : PodPhase.Failed;
  }

  /**
   * Returns the status as JSON.
   *
   * @param pod its current state; its conditions of other writers and unchanged transition times
   *     are kept
   */
  public ObjectNode toJson(KubeObject pod, Instant now) {
    ObjectNode status = Json.object();
    long generation = PodSpec.generation(pod);
    if (generation > 0) {
      status.put("observedGeneration", generation);
    }
    status.put("phase", phase.name());
    if (failure != null) {
      if (failure.reason() != null) {
        status.put("reason", failure.reason());
      }
      status.put("message", failure.message());
    }
    if (startTime != null) {
      status.put("startTime", Timestamps.format(startTime));
      String address = podIp == null ? LOCALHOST : podIp;
      status.put("hostIP", LOCALHOST).put("podIP", address);
      status.putArray("hostIPs").addObject().put("ip", LOCALHOST);
      status.putArray("podIPs").addObject().put("ip", address);
    }
    status.set("conditions", PodConditions.after(pod, now).of(this));
    ArrayNode main = status.putArray("containerStatuses");
    for (Container container : containers) {
      ArrayNode list =
          container.role() == ContainerRole.MAIN
              ? main
              : status.withArrayProperty("initContainerStatuses");
      list.add(json(container));
    }
    return status;
  }

  /**
   * True if the pod sandbox exists. It is created once the volumes exist, so that one of the
   * containers has got further then.
   */
  boolean hasSandbox() {
    return containers.stream().anyMatch(container -> !container.isCreating());
  }

  /** Returns the names of the containers that run until the end and are not ready. */
  List<String> unreadyContainers() {
    return containers.stream()
        .filter(container -> container.role() != ContainerRole.INIT && !container.ready())
        .map(Container::name)
        .toList();
  }

  /** Returns the names of the init containers that still hold up the others. */
  List<String> incompleteContainers() {
    return containers.stream()
        .filter(container -> container.role() != ContainerRole.MAIN && !container.passed())
        .map(Container::name)
        .toList();
  }

  private static ObjectNode json(Container container) {
    ObjectNode json = Json.object().put("name", container.name());
    json.set("state", json(container.state(), container.containerId()));
    ObjectNode last = json.putObject("lastState");
    if (container.last() != null) {
      last.set("terminated", json(container.last(), ""));
    }
    json.put("ready", container.ready()).put("restartCount", container.restartCount());
    json.put("image", container.image()).put("imageID", container.imageId());
    if (!container.containerId().isEmpty()) {
      json.put("containerID", container.containerId());
    }
    return json.put("started", container.started());
  }

  private static ObjectNode json(ContainerState state, String containerId) {
    ObjectNode json = Json.object();
    switch (state) {
      case ContainerState.Waiting waiting -> {
        ObjectNode inner = json.putObject("waiting").put("reason", waiting.reason());
        if (!waiting.message().isEmpty() && !waiting.isCreating()) {
          inner.put("message", waiting.message());
        }
      }
      case ContainerState.Running running ->
          json.putObject("running").put("startedAt", Timestamps.format(running.started().at()));
      case ContainerState.Terminated ended ->
          json.set("terminated", json(ended.exit(), containerId));
    }
    return json;
  }

  private static ObjectNode json(Exit exit, String containerId) {
    ObjectNode json = Json.object().put("exitCode", exit.code());
    if (exit.signal() != null) {
      json.put("signal", exit.signal());
    }
    json.put("reason", exit.reason());
    if (!exit.message().isEmpty()) {
      json.put("message", exit.message());
    }
    json.put("startedAt", Timestamps.format(exit.startedAt()));
    json.put("finishedAt", Timestamps.format(exit.finishedAt()));
    if (!containerId.isEmpty()) {
      json.put("containerID", containerId);
    }
    return json;
  }
}
