package dev.stint.model.pod;

import dev.stint.model.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The defaults of a written pod status, from the former status and from its own members. */
public final class PodStatusDefaults {
  private PodStatusDefaults() {}

  /**
   * Keeps the QoS class and the observed generation if a writer omits them, and makes {@code podIP}
   * and {@code podIPs} agree.
   *
   * @param before null if there was none
   * @param status the new status; its members are replaced, never changed in place
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

  /**
   * Makes the single address of old clients and the list agree. The single one is the first of the
   * list, and takes precedence.
   */
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
