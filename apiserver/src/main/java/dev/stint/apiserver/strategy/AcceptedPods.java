package dev.stint.apiserver.strategy;

import dev.stint.model.Json;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A bounded cache of recently accepted pod specs, so that the pods of one Job, which differ only in
 * their {@code hostname}, are completed and validated once. Other pods take the normal path.
 * Thread-safe.
 */
final class AcceptedPods {
  private static final String HOSTNAME = "hostname";
  private static final int SLOTS = 64;

  /**
   * An accepted pod.
   *
   * @param given its spec as it was sent
   * @param spec its spec as it was stored
   * @param status its first status
   */
  record Accepted(ObjectNode given, ObjectNode spec, ObjectNode status) {
    /** Completes a pod with an equal spec in the same way; shares equal parts. */
    void complete(ObjectNode pod) {
      ObjectNode own = Json.copyOf(spec);
      JsonNode hostname = pod.path("spec").get(HOSTNAME);
      if (hostname != null) {
        own.set(HOSTNAME, hostname);
      }
      pod.set("spec", own);
      pod.set("status", status);
    }

    /**
     * True if a spec equals this pod's, apart from the hostname, which both or neither must have.
     */
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

  /** Returns an accepted pod with an equal spec; null if none is cached. */
  @Nullable Accepted like(ObjectNode given) {
    Accepted found = slots.get(slot(given));
    return found != null && found.isLike(given) ? found : null;
  }

  /** Returns the slot of a spec, by the containers that the pods of one Job share. */
  private static int slot(ObjectNode given) {
    return Math.floorMod(System.identityHashCode(given.get("containers")), SLOTS);
  }
}
