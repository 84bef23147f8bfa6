package dev.stint.apiserver.strategy;

import dev.stint.model.Json;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Specs of pods that were accepted lately, so that the thousandth pod of a Job is not completed and
 * checked as if there had been none before: such pods differ in their {@code hostname} only.
 * Bounded; what is not here is checked as any other. Safe for use by many threads.
 */
final class AcceptedPods {
  private static final String HOSTNAME = "hostname";
  private static final int SLOTS = 64;

  /**
   * A pod that was accepted.
   *
   * @param given its spec as it came
   * @param spec its spec as it was stored
   * @param status its first status
   */
  record Accepted(ObjectNode given, ObjectNode spec, ObjectNode status) {
    /** Makes of a pod with such a spec what was made of the other one; shares what is the same. */
    void complete(ObjectNode pod) {
      ObjectNode own = Json.copyOf(spec);
      JsonNode hostname = pod.path("spec").get(HOSTNAME);
      if (hostname != null) {
        own.set(HOSTNAME, hostname);
      }
      pod.set("spec", own);
      pod.set("status", status);
    }

    /** Whether a spec is that of this pod, whatever its hostname, as long as both have one. */
    boolean isLike(ObjectNode other) {
      return other.size() == given.size() && other.properties().stream().allMatch(this::isLike);
    }

    private boolean isLike(Map.Entry<String, JsonNode> member) {
      JsonNode mine = given.get(member.getKey());
      JsonNode value = member.getValue();
      return member.getKey().equals(HOSTNAME)
          ? mine != null && mine.isString() && value.isString()
          : value.equals(mine);
    }
  }

  private final AtomicReferenceArray<@Nullable Accepted> slots = new AtomicReferenceArray<>(SLOTS);

  void add(ObjectNode given, ObjectNode spec, ObjectNode status) {
    slots.set(slot(given), new Accepted(given, spec, status));
  }

  /** An accepted pod with such a spec; null where none is known. */
  @Nullable Accepted like(ObjectNode given) {
    Accepted found = slots.get(slot(given));
    return found != null && found.isLike(given) ? found : null;
  }

  /** By what pods of one Job have in common. */
  private static int slot(ObjectNode given) {
    return Math.floorMod(System.identityHashCode(given.get("containers")), SLOTS);
  }
}
