package dev.stint.model.pod;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The preparation of a new pod for storage, beside its defaults. */
public final class PodPreparation {
  private static final List<String> LABEL_KEYS = List.of("matchLabelKeys", "mismatchLabelKeys");

  private PodPreparation() {}

  /** Changes a new pod, which has its defaults, into the pod to check and to store. */
  public static void create(ObjectNode pod) {
    ObjectNode spec = Json.objectAt(pod, "spec");
    if (spec == null) {
      return;
    }
    Long grace = Json.longInteger(spec, "terminationGracePeriodSeconds");
    if (grace != null && grace < 0) {
      spec.put("terminationGracePeriodSeconds", 1);
    }
    AppArmorAnnotations.apply(pod);
    ObjectNode labels = Json.objectAt(Json.objectAt(pod, "metadata"), "labels");
    if (labels != null) {
      terms(spec).forEach(term -> mergeLabelKeys(term, labels));
    }
  }

  /** True if annotations change a pod's spec. */
  public static boolean changesSpec(@Nullable ObjectNode annotations) {
    return annotations != null
        && annotations.propertyNames().stream()
            .anyMatch(key -> key.startsWith(AppArmorAnnotations.PREFIX));
  }

  /**
   * True if the preparation or the validity of a spec depends on the pod's metadata. Walks the
   * spec.
   */
  public static boolean dependsOnMetadata(ObjectNode spec) {
    return terms(spec).stream().anyMatch(term -> LABEL_KEYS.stream().anyMatch(term::has))
        || spec.path("volumes").valueStream().anyMatch(each -> each.has("ephemeral"));
  }

  /** Returns the terms that select other pods for scheduling. */
  private static List<ObjectNode> terms(ObjectNode spec) {
    List<ObjectNode> terms = new ArrayList<>();
    PodDefaults.each(spec, "topologySpreadConstraints", terms::add);
    ObjectNode affinity = Json.objectAt(spec, "affinity");
    for (String member : List.of("podAffinity", "podAntiAffinity")) {
      ObjectNode pods = Json.objectAt(affinity, member);
      PodDefaults.each(pods, "requiredDuringSchedulingIgnoredDuringExecution", terms::add);
      PodDefaults.each(
          pods,
          "preferredDuringSchedulingIgnoredDuringExecution",
          weighted -> {
            ObjectNode term = Json.objectAt(weighted, "podAffinityTerm");
            if (term != null) {
              terms.add(term);
            }
          });
    }
    return terms;
  }

  /** Adds a pod's own labels to the selector of a term (KEP-3633, KEP-3243). */
  private static void mergeLabelKeys(ObjectNode term, ObjectNode labels) {
    ObjectNode selector = Json.objectAt(term, "labelSelector");
    if (selector == null) {
      return;
    }
    for (String member : LABEL_KEYS) {
      for (JsonNode key : term.path(member)) {
        String value = Json.text(labels, key.asString(""));
        if (value != null) {
          ObjectNode expression = selector.withArrayProperty("matchExpressions").addObject();
          expression.put("key", key.asString(""));
          expression.put("operator", member.equals("matchLabelKeys") ? "In" : "NotIn");
          expression.putArray("values").add(value);
        }
      }
    }
  }
}
