package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Decides which pods a node takes and keeps, by its taints and their tolerations ("Taints and
 * Tolerations").
 */
public final class Taints {
  private static final String CORDON = "node.kubernetes.io/unschedulable";
  private static final String NO_EXECUTE = "NoExecute";
  private static final Set<String> KEEPING_OUT = Set.of("NoSchedule", NO_EXECUTE);

  private Taints() {}

  /** True if a node keeps out any pods at all. */
  public static boolean hasAny(KubeObject node) {
    ArrayNode taints = Json.arrayAt(node.spec(), "taints");
    return isCordoned(node)
        || (taints != null && taints.valueStream().anyMatch(Taints::isBlocking));
  }

  /**
   * Returns why a node does not take a pod, in a scheduler's words; null if it does.
   *
   * @param tolerations those of the pod
   */
  public static @Nullable String obstacle(KubeObject node, Tolerations tolerations) {
    if (isCordoned(node) && !tolerations.tolerate(CORDON, "", "NoSchedule")) {
      return "0/1 nodes are available: 1 node(s) were unschedulable.";
    }
    ArrayNode taints = Json.arrayAt(node.spec(), "taints");
    for (int i = 0; taints != null && i < taints.size(); i++) {
      JsonNode taint = taints.get(i);
      String key = text(taint, "key");
      String value = text(taint, "value");
      if (isBlocking(taint) && !tolerations.tolerate(key, value, text(taint, "effect"))) {
        return "0/1 nodes are available: 1 node(s) had untolerated taint {%s: %s}."
            .formatted(key, value);
      }
    }
    return null;
  }

  /**
   * Returns how long a running pod may stay on a node with NoExecute taints: the shortest of its
   * {@code tolerationSeconds} for them; zero if it does not tolerate one; empty for no limit.
   */
  public static Optional<Duration> patience(KubeObject node, KubeObject pod) {
    ArrayNode taints = Json.arrayAt(node.spec(), "taints");
    Duration shortest = null;
    for (int i = 0; taints != null && i < taints.size(); i++) {
      if (NO_EXECUTE.equals(text(taints.get(i), "effect"))) {
        JsonNode toleration = toleration(pod, taints.get(i));
        if (toleration == null) {
          return Optional.of(Duration.ZERO);
        }
        Duration seconds = seconds(toleration);
        if (seconds != null && (shortest == null || seconds.compareTo(shortest) < 0)) {
          shortest = seconds;
        }
      }
    }
    return Optional.ofNullable(shortest);
  }

  /** Returns the first toleration of a pod that tolerates a taint; null for none. */
  private static @Nullable JsonNode toleration(KubeObject pod, JsonNode taint) {
    ArrayNode tolerations = Json.arrayAt(pod.spec(), "tolerations");
    for (int i = 0; tolerations != null && i < tolerations.size(); i++) {
      if (Tolerations.Toleration.of(tolerations.get(i))
          .tolerates(text(taint, "key"), text(taint, "value"), NO_EXECUTE)) {
        return tolerations.get(i);
      }
    }
    return null;
  }

  /** Returns the toleration's time; null for no limit. A negative time counts as zero. */
  private static @Nullable Duration seconds(JsonNode toleration) {
    Long seconds = Json.longInteger(toleration, "tolerationSeconds");
    return seconds == null
        ? null
        : Duration.ofSeconds(Math.clamp(seconds, 0, PodSpec.FOREVER_SECONDS));
  }

  private static boolean isCordoned(KubeObject node) {
    return Boolean.TRUE.equals(Json.bool(node.spec(), "unschedulable"));
  }

  private static boolean isBlocking(JsonNode taint) {
    return KEEPING_OUT.contains(text(taint, "effect"));
  }

  /** Returns a text; empty if there is none. */
  static String text(JsonNode parent, String member) {
    String text = Json.text(parent, member);
    return text == null ? "" : text;
  }
}
