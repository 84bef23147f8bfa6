package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import dev.stint.model.field.StrictFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Warnings about deprecated labels of nodes, and about selectors that match nothing. */
final class SchedulingWarnings {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final Map<String, String> DEPRECATED_LABELS =
      Map.of(
          "beta.kubernetes.io/arch", deprecated("v1.14", "kubernetes.io/arch"),
          "beta.kubernetes.io/os", deprecated("v1.14", "kubernetes.io/os"),
          "failure-domain.beta.kubernetes.io/region",
              deprecated("v1.17", "topology.kubernetes.io/region"),
          "failure-domain.beta.kubernetes.io/zone",
              deprecated("v1.17", "topology.kubernetes.io/zone"),
          "beta.kubernetes.io/instance-type",
              deprecated("v1.17", "node.kubernetes.io/instance-type"));

  private SchedulingWarnings() {}

  private static String deprecated(String since, String instead) {
    return "deprecated since " + since + "; use \"" + instead + "\" instead";
  }

  /** Returns warnings about the selectors of a pod's nodes. */
  static List<String> nodeLabels(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    for (FieldPath label : spec.get("nodeSelector").entries()) {
      String instead = DEPRECATED_LABELS.get(label.key());
      if (instead != null) {
        warnings.add(label + ": " + instead);
      }
    }
    FieldPath affinity = spec.get("affinity", "nodeAffinity");
    for (FieldPath term : affinity.get(REQUIRED, "nodeSelectorTerms").items()) {
      expressions(term, false, warnings);
    }
    for (FieldPath preferred : affinity.get(PREFERRED).items()) {
      expressions(preferred.get("preference"), true, warnings);
    }
    for (FieldPath constraint : spec.get("topologySpreadConstraints").items()) {
      deprecatedKey(constraint.get("topologyKey"), warnings);
      nullSelector(constraint, warnings);
    }
    return warnings;
  }

  /** Returns warnings about the selectors of pods in affinities. */
  static List<String> podSelectors(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      FieldPath affinity = spec.get("affinity", kind);
      affinity.get(REQUIRED).items().forEach(term -> nullSelector(term, warnings));
      affinity
          .get(PREFERRED)
          .items()
          .forEach(term -> nullSelector(term.get("podAffinityTerm"), warnings));
    }
    return warnings;
  }

  /**
   * @param values whether to check values too; validation refuses bad values of required terms
   */
  private static void expressions(FieldPath term, boolean values, List<String> warnings) {
    for (FieldPath expression : term.get("matchExpressions").items()) {
      deprecatedKey(expression.get("key"), warnings);
      if (values) {
        expression.get("values").items().forEach(value -> labelValue(value, warnings));
      }
    }
  }

  private static void deprecatedKey(FieldPath key, List<String> warnings) {
    String instead = DEPRECATED_LABELS.get(key.text());
    if (instead != null) {
      warnings.add(key + ": " + key.text() + " is " + instead);
    }
  }

  private static void labelValue(FieldPath value, List<String> warnings) {
    for (String complaint : StrictFormats.notALabelValue(value.text())) {
      warnings.add(value + ": " + value.text() + " is invalid, " + complaint);
    }
  }

  private static void nullSelector(FieldPath holder, List<String> warnings) {
    FieldPath selector = holder.get("labelSelector");
    if (!selector.exists()) {
      warnings.add(selector + ": a null labelSelector results in matching no pod");
    }
  }
}
