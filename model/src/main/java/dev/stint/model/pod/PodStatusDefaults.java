package dev.stint.model.pod;

import dev.stint.model.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a written status of a pod takes from the one before, and from its own other members. */
public final class PodStatusDefaults {
  private PodStatusDefaults() {}

  /**
   * Keeps the class and the observed generation that a writer leaves out, and makes {@code podIP}
   * and {@code podIPs} agree.
   *
   * @param before null where there was none
   * @param status its members are changed, and none of their members
   */
  public static void apply(@Nullable ObjectNode before, ObjectNode status) {
    if (before != null) {
      keep("qosClass", before, status, !status.has("qosClass"));
      Long observed = Json.longInteger(status, "observedGeneration");
      keep("observedGeneration", before, status, observed == null || observed == 0);
    }
    addresses(status);
  }

  private static void keep(String member, ObjectNode before, ObjectNode status, boolean absent) {
    JsonNode value = before.get(member);
    if (value != null && absent) {
      status.set(member, value);
    }
  }

  /** The address of old clients is the first of all, and counts where both are written. */
  private static void addresses(ObjectNode status) {
    String single = orEmpty(Json.text(status, "podIP"));
    ArrayNode all = Json.arrayAt(status, "podIPs");
    String first = all == null || all.isEmpty() ? "" : orEmpty(Json.text(all.get(0), "ip"));
    if (single.isEmpty()) {
      if (!first.isEmpty()) {
        status.put("podIP", first);
      }
    } else if (!single.equals(first)) {
      status.putArray("podIPs").addObject().put("ip", single);
    }
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
