package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.Times;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the status of a pod from what is known of its containers, as a kubelet words it.
 *
 * @param reason the pod's own reason, such as {@code DeadlineExceeded}; null for none
 * @param startTime null for a pod that was never accepted
 */
record PodStatus(
    Phase phase,
    @Nullable String reason,
    @Nullable String message,
    @Nullable Instant startTime,
    List<Container> containers) {
  private static final String LOCALHOST = "127.0.0.1";

  /** The phases that a runner writes. */
  enum Phase {
    Running,
    Succeeded,
    Failed
  }

  /**
   * One container.
   *
   * @param last how the run before this one ended; null for none
   * @param containerId of the newest run; empty where there was none
   */
  record Container(
      String name,
      String image,
      ContainerState state,
      @Nullable Exit last,
      int restartCount,
      String containerId) {}

  /** The phase of a pod whose containers have all ended. */
  static Phase phaseOf(List<Container> containers) {
    boolean succeeded =
        containers.stream()
            .allMatch(container ->
                container.state() instanceof ContainerState.Terminated ended
                    && ended.exit().code() == 0);
    return succeeded && !containers.isEmpty() ? Phase.Succeeded : Phase.Failed;
  }

  /**
   * The status as JSON.
   *
   * @param before the status that the pod has; its conditions of other writers and unchanged
   *     transition times are kept
   */
  ObjectNode toJson(@Nullable ObjectNode before, Instant now) {
    ObjectNode status = Json.object().put("phase", phase.name());
    if (reason != null) {
      status.put("reason", reason);
    }
    if (message != null) {
      status.put("message", message);
    }
    if (startTime != null) {
      status.put("startTime", Times.format(startTime));
      status.put("hostIP", LOCALHOST).put("podIP", LOCALHOST);
      status.putArray("hostIPs").addObject().put("ip", LOCALHOST);
      status.putArray("podIPs").addObject().put("ip", LOCALHOST);
    }
    new Conditions(Json.arrayAt(before, "conditions"), Times.format(now)).into(status, this);
    ArrayNode statuses = status.putArray("containerStatuses");
    containers.forEach(container -> statuses.add(json(container)));
    return status;
  }

  /** Names of the containers that are not ready. */
  private List<String> unready() {
    return containers.stream()
        .filter(container -> !(container.state() instanceof ContainerState.Running))
        .map(Container::name)
        .toList();
  }

  private static ObjectNode json(Container container) {
    boolean running = container.state() instanceof ContainerState.Running;
    ObjectNode json = Json.object().put("name", container.name());
    json.set("state", json(container.state(), container.containerId()));
    ObjectNode last = json.putObject("lastState");
    if (container.last() != null) {
      last.set("terminated", json(container.last(), ""));
    }
    json.put("ready", running).put("restartCount", container.restartCount());
    json.put("image", container.image()).put("imageID", "");
    if (!container.containerId().isEmpty()) {
      json.put("containerID", container.containerId());
    }
    return json.put("started", running);
  }

  private static ObjectNode json(ContainerState state, String containerId) {
    ObjectNode json = Json.object();
    switch (state) {
      case ContainerState.Waiting waiting -> {
        ObjectNode inner = json.putObject("waiting").put("reason", waiting.reason());
        if (!waiting.message().isEmpty()) {
          inner.put("message", waiting.message());
        }
      }
      case ContainerState.Running running ->
          json.putObject("running").put("startedAt", Times.format(running.started().at()));
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
    json.put("startedAt", Times.format(exit.startedAt()));
    json.put("finishedAt", Times.format(exit.finishedAt()));
    if (!containerId.isEmpty()) {
      json.put("containerID", containerId);
    }
    return json;
  }

  /** The pod conditions that a kubelet owns. */
  private record Conditions(@Nullable ArrayNode before, String now) {
    private static final List<String> OWN =
        List.of("PodScheduled", "Initialized", "ContainersReady", "Ready");

    void into(ObjectNode status, PodStatus pod) {
      ArrayNode conditions = status.putArray("conditions");
      String why =
          switch (pod.phase()) {
            case Succeeded -> "PodCompleted";
            case Failed -> "PodFailed";
            case Running -> "ContainersNotReady";
          };
      List<String> unready = pod.unready();
      boolean ready = pod.phase() == Phase.Running && unready.isEmpty();
      String detail =
          pod.phase() == Phase.Running ? "containers with unready status: " + unready : null;
      conditions.add(condition("PodScheduled", true, null, null));
      boolean started = pod.startTime() != null;
      conditions.add(
          condition(
              "Initialized",
              started,
              pod.phase() == Phase.Succeeded || !started ? why : null,
              null));
      for (String type : List.of("ContainersReady", "Ready")) {
        conditions.add(condition(type, ready, ready ? null : why, ready ? null : detail));
      }
      keepOthers(conditions);
    }

    private void keepOthers(ArrayNode conditions) {
      if (before != null) {
        for (JsonNode condition : before) {
          String type = Json.text(condition, "type");
          if (type != null && !OWN.contains(type)) {
            conditions.add(condition);
          }
        }
      }
    }

    private ObjectNode condition(
        String type, boolean holds, @Nullable String reason, @Nullable String message) {
      String value = holds ? "True" : "False";
      ObjectNode condition = Json.object().put("type", type).put("status", value);
      condition.put("lastTransitionTime", since(type, value));
      if (reason != null) {
        condition.put("reason", reason);
      }
      if (message != null) {
        condition.put("message", message);
      }
      return condition;
    }

    private String since(String type, String value) {
      if (before != null) {
        for (JsonNode condition : before) {
          String time = Json.text(condition, "lastTransitionTime");
          if (type.equals(Json.text(condition, "type"))
              && value.equals(Json.text(condition, "status"))
              && time != null) {
            return time;
          }
        }
      }
      return now;
    }
  }
}
