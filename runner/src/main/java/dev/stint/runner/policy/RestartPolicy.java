package dev.stint.runner.policy;

import dev.stint.model.Json;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ContainerRole;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides whether a container that ended is started again: by its own rules, its own policy, or its
 * pod's ("Container restarts" and "Individual container restart policy and rules" of the pod life
 * cycle).
 */
public final class RestartPolicy {
  private RestartPolicy() {}

  /**
   * True if the container is started again.
   *
   * @param podPolicy {@code spec.restartPolicy}; null for the default
   */
  public static boolean mayRestart(
      @Nullable String podPolicy, ContainerRole role, ObjectNode container, Exit exit) {
    if (role == ContainerRole.SIDECAR) {
      return true;
    }
    if (role == ContainerRole.INIT && exit.code() == 0) {
      return false;
    }
    if (anyRuleMatches(container, exit.code())) {
      return true;
    }
    String own = Json.text(container, "restartPolicy");
    String policy = own == null ? podPolicy : own;
    return switch (policy == null ? "Always" : policy) {
      case "Never" -> false;
      case "OnFailure" -> exit.code() != 0;
      default -> true;
    };
  }

  private static boolean anyRuleMatches(ObjectNode container, int code) {
    ArrayNode rules = Json.arrayAt(container, "restartPolicyRules");
    if (rules != null) {
      for (JsonNode rule : rules) {
        ObjectNode exitCodes = Json.objectAt(rule, "exitCodes");
        boolean listed = contains(Json.arrayAt(exitCodes, "values"), code);
        if (exitCodes != null && listed == "In".equals(Json.text(exitCodes, "operator"))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean contains(@Nullable ArrayNode values, int code) {
    if (values != null) {
      for (JsonNode value : values) {
        if (value.asInt(-1) == code) {
          return true;
        }
      }
    }
    return false;
  }
}
