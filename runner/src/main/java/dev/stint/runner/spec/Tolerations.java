package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The taints that a pod tolerates ("Taints and Tolerations"). It takes little memory: many
 * thousands of pods may wait, and each change of the node looks at all of them.
 */
public record Tolerations(List<Toleration> all) {
  /** The tolerations of a pod that has none. */
  public static final Tolerations NONE = new Tolerations(List.of());

  /** Copies the list. */
  public Tolerations {
    all = List.copyOf(all);
  }

  /**
   * A toleration, without the time for which it holds.
   *
   * @param key the key of the taints; empty for all keys, if {@code exists}
   * @param value their value, which does not matter if {@code exists}
   * @param effect their effect; empty for all effects
   */
  record Toleration(String key, boolean exists, String value, String effect) {
    static Toleration of(JsonNode toleration) {
      return new Toleration(
          Taints.text(toleration, "key"),
          "Exists".equals(Taints.text(toleration, "operator")),
          Taints.text(toleration, "value"),
          Taints.text(toleration, "effect"));
    }

    boolean tolerates(String itsKey, String itsValue, String itsEffect) {
      return (effect.isEmpty() || effect.equals(itsEffect))
          && (key.equals(itsKey) || (key.isEmpty() && exists))
          && (exists || value.equals(itsValue));
    }
  }

  /** Reads the tolerations of a pod. */
  public static Tolerations of(KubeObject pod) {
    ArrayNode found = Json.arrayAt(pod.spec(), "tolerations");
    return found == null ? NONE : new Tolerations(found.valueStream().map(Toleration::of).toList());
  }

  boolean tolerate(String key, String value, String effect) {
    return all.stream().anyMatch(each -> each.tolerates(key, value, effect));
  }
}
