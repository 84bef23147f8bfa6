package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Which pods a node takes, by its taints and their tolerations ("Taints and Tolerations"). */
final class Taints {
  private static final String CORDON = "node.kubernetes.io/unschedulable";
  private static final Set<String> KEEPING_OUT = Set.of("NoSchedule", "NoExecute");

  private Taints() {}

  /** Whether a node keeps out any pods at all. */
  static boolean any(KubeObject node) {
    ArrayNode taints = Json.arrayAt(node.spec(), "taints");
    return isCordoned(node) || (taints != null && taints.valueStream().anyMatch(Taints::keepsOut));
  }

  /** Why a node does not take a pod, in a scheduler's words; null where it does. */
  static @Nullable String obstacle(KubeObject node, KubeObject pod) {
    if (isCordoned(node) && !tolerates(pod, CORDON, "", "NoSchedule")) {
      return "0/1 nodes are available: 1 node(s) were unschedulable.";
    }
    ArrayNode taints = Json.arrayAt(node.spec(), "taints");
    for (int i = 0; taints != null && i < taints.size(); i++) {
      JsonNode taint = taints.get(i);
      String key = text(taint, "key");
      String value = text(taint, "value");
      if (keepsOut(taint) && !tolerates(pod, key, value, text(taint, "effect"))) {
        return "0/1 nodes are available: 1 node(s) had untolerated taint {%s: %s}."
            .formatted(key, value);
      }
    }
    return null;
  }

  private static boolean isCordoned(KubeObject node) {
    return Boolean.TRUE.equals(Json.bool(node.spec(), "unschedulable"));
  }

  private static boolean keepsOut(JsonNode taint) {
    return KEEPING_OUT.contains(text(taint, "effect"));
  }

  private static boolean tolerates(KubeObject pod, String key, String value, String effect) {
    ArrayNode tolerations = Json.arrayAt(pod.spec(), "tolerations");
    return tolerations != null
        && tolerations.valueStream().anyMatch(each -> tolerates(each, key, value, effect));
  }

  private static boolean tolerates(JsonNode toleration, String key, String value, String effect) {
    String itsEffect = text(toleration, "effect");
    String itsKey = text(toleration, "key");
    boolean exists = "Exists".equals(text(toleration, "operator"));
    return (itsEffect.isEmpty() || itsEffect.equals(effect))
        && (itsKey.equals(key) || (itsKey.isEmpty() && exists))
        && (exists || text(toleration, "value").equals(value));
  }

  private static String text(JsonNode parent, String member) {
    String text = Json.text(parent, member);
    return text == null ? "" : text;
  }
}
