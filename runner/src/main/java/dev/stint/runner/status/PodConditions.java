package dev.stint.runner.status;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Timestamps;
import dev.stint.model.pod.PodPhase;
import dev.stint.runner.spec.PodSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pod conditions that a kubelet owns ("Pod conditions").
 *
 * @param before the pod's current conditions: those of other writers are kept, and the transition
 *     times of unchanged ones
 * @param generation the pod's generation that they refer to; 0 if it is not counted
 * @param readinessGates condition types of other writers that the pod needs to be ready
 */
public record PodConditions(
    @Nullable ArrayNode before, String now, long generation, List<String> readinessGates) {
  private static final String SCHEDULED = "PodScheduled";
  private static final List<String> OWN =
      List.of(SCHEDULED, "PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready");

  /** Returns the conditions that follow the pod's current ones. */
  public static PodConditions after(KubeObject pod, Instant now) {
    return new PodConditions(
        Json.arrayAt(pod.status(), "conditions"),
        Timestamps.format(now),
        PodSpec.generation(pod),
        PodSpec.readinessGates(pod));
  }

  /** True if a condition that a readiness gate of the pod requires differs between two states. */
  public static boolean hasGateChanged(KubeObject pod, KubeObject newest) {
    List<String> gates = PodSpec.readinessGates(pod);
    if (gates.isEmpty()) {
      return false;
    }
    ArrayNode before = Json.arrayAt(pod.status(), "conditions");
    ArrayNode after = Json.arrayAt(newest.status(), "conditions");
    return gates.stream()
        .anyMatch(gate -> !Objects.equals(status(before, gate), status(after, gate)));
  }

  private static String unmet(List<String> gates, @Nullable ArrayNode conditions) {
    List<String> unmet = new ArrayList<>();
    for (String gate : gates) {
      String status = status(conditions, gate);
      if (status == null) {
        unmet.add(
            "corresponding condition of pod readiness gate \"%s\" does not exist.".formatted(gate));
      } else if (!status.equals("True")) {
        unmet.add(
            "the status of pod readiness gate \"%s\" is not \"True\", but %s"
                .formatted(gate, status));
      }
    }
    return String.join(", ", unmet);
  }

  /** Returns the conditions of a pod that was accepted, or refused. */
  ArrayNode of(PodStatus pod) {
    ArrayNode conditions = Json.array();
    boolean accepted = pod.startTime() != null;
    conditions.add(condition(SCHEDULED, true, null, null));
    boolean sandbox = accepted && !pod.phase().isTerminal() && pod.hasSandbox();
    conditions.add(condition("PodReadyToStartContainers", sandbox, null, null));
    conditions.add(initialized(pod, accepted));
    readiness(pod, conditions);
    PodStatus.Disruption disruption = pod.disruption();
    if (disruption != null) {
      conditions.add(
          condition(Names.DISRUPTION_TARGET, true, disruption.reason(), disruption.message()));
    }
    keepOthers(conditions, disruption != null);
    return conditions;
  }

  /** Returns the conditions of a pod that is unschedulable. */
  public ArrayNode unschedulable(String message) {
    ArrayNode conditions = Json.array();
    conditions.add(condition(SCHEDULED, false, "Unschedulable", message));
    keepOthers(conditions, false);
    return conditions;
  }

  /** True if the conditions hold this message already. */
  public static boolean isReportedUnschedulable(@Nullable ArrayNode conditions, String message) {
    if (conditions != null) {
      for (JsonNode condition : conditions) {
        if (SCHEDULED.equals(Json.text(condition, "type"))
            && message.equals(Json.text(condition, "message"))) {
          return true;
        }
      }
    }
    return false;
  }

  /** True if there is a condition of this type, and it is true. */
  public static boolean isTrue(@Nullable ArrayNode conditions, String type) {
    return "True".equals(status(conditions, type));
  }

  /** Returns null if there is no such condition. */
  private static @Nullable String status(@Nullable ArrayNode conditions, String type) {
    if (conditions != null) {
      for (JsonNode condition : conditions) {
        if (type.equals(Json.text(condition, "type"))) {
          return Json.text(condition, "status");
        }
      }
    }
    return null;
  }

  private ObjectNode initialized(PodStatus pod, boolean accepted) {
    String type = "Initialized";
    if (!accepted) {
      return condition(type, false, endReason(pod.phase()), null);
    }
    List<String> incomplete = pod.incompleteContainers();
    if (!incomplete.isEmpty()) {
      String detail = "containers with incomplete status: " + listed(incomplete);
      return condition(type, false, "ContainersNotInitialized", detail);
    }
    return condition(
        type, true, pod.phase() == PodPhase.Succeeded ? endReason(pod.phase()) : null, null);
  }

  private void readiness(PodStatus pod, ArrayNode conditions) {
    List<String> unready = pod.unreadyContainers();
    boolean ready = !pod.phase().isTerminal() && unready.isEmpty();
    String why = pod.phase().isTerminal() ? endReason(pod.phase()) : "ContainersNotReady";
    String detail =
        pod.phase().isTerminal() ? null : "containers with unready status: " + listed(unready);
    conditions.add(condition("ContainersReady", ready, ready ? null : why, ready ? null : detail));
    String gates = unmet(readinessGates, before);
    if (ready && !gates.isEmpty()) {
      conditions.add(condition("Ready", false, "ReadinessGatesNotReady", gates));
    } else {
      conditions.add(condition("Ready", ready, ready ? null : why, ready ? null : detail));
    }
  }

  private static String endReason(PodPhase phase) {
    return phase == PodPhase.Succeeded ? "PodCompleted" : "PodFailed";
  }

  private static String listed(List<String> names) {
    return "[" + String.join(" ", names) + "]";
  }

  private void keepOthers(ArrayNode conditions, boolean disrupted) {
    if (before != null) {
      for (JsonNode condition : before) {
        String type = Json.text(condition, "type");
        boolean replaced =
            OWN.contains(type) || (disrupted && Names.DISRUPTION_TARGET.equals(type));
        if (type != null && !replaced) {
          conditions.add(condition);
        }
      }
    }
  }

  private ObjectNode condition(
      String type, boolean holds, @Nullable String reason, @Nullable String message) {
    String value = holds ? "True" : "False";
    ObjectNode condition = Json.object().put("type", type);
    if (generation > 0) {
      condition.put("observedGeneration", generation);
    }
    condition.put("status", value);
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
