package dev.stint.model.quota;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A requirement of a quota: it counts the pods that meet all of its requirements, and all objects
 * if it has none.
 *
 * @param name the scope, such as "Terminating"
 * @param operator "Exists", "DoesNotExist", "In" or "NotIn"
 */
record QuotaScope(String name, String operator, List<String> values) {
  static final String BEST_EFFORT = "BestEffort";
  static final String VOLUME_ATTRIBUTES_CLASS = "VolumeAttributesClass";

  /** The scopes without values: an object either matches one or does not. */
  static final List<String> PLAIN =
      List.of(
          BEST_EFFORT,
          "NotBestEffort",
          "Terminating",
          "NotTerminating",
          "CrossNamespacePodAffinity");

  /** All scopes. */
  static final List<String> ALL =
      Stream.concat(PLAIN.stream(), Stream.of("PriorityClass", VOLUME_ATTRIBUTES_CLASS)).toList();

  /** Returns the requirements of a quota's {@code spec}. */
  static List<QuotaScope> of(JsonNode spec) {
    List<QuotaScope> scopes = new ArrayList<>();
    for (JsonNode scope : spec.path("scopes")) {
      scopes.add(new QuotaScope(scope.asString(""), "Exists", List.of()));
    }
    for (JsonNode required : spec.path("scopeSelector").path("matchExpressions")) {
      scopes.add(
          new QuotaScope(
              Objects.requireNonNullElse(Json.text(required, "scopeName"), ""),
              Objects.requireNonNullElse(Json.text(required, "operator"), ""),
              required.path("values").valueStream().map(value -> value.asString("")).toList()));
    }
    return scopes;
  }

  /** True if a pod meets this requirement. */
  boolean matches(ObjectNode pod) {
    JsonNode spec = pod.path("spec");
    return switch (name) {
      case "Terminating" -> isTerminating(spec);
      case "NotTerminating" -> !isTerminating(spec);
      case BEST_EFFORT -> isBestEffort(pod);
      case "NotBestEffort" -> !isBestEffort(pod);
      case "CrossNamespacePodAffinity" -> reachesOtherNamespaces(spec.path("affinity"));
      case "PriorityClass" -> matchesValue(Json.text(spec, "priorityClassName"));
      default -> false;
    };
  }

  private boolean matchesValue(@Nullable String value) {
    boolean exists = value != null && !value.isEmpty();
    return switch (operator) {
      case "Exists" -> exists;
      case "DoesNotExist" -> !exists;
      case "In" -> exists && values.contains(value);
      case "NotIn" -> !exists || !values.contains(value);
      default -> false;
    };
  }

  private static boolean isTerminating(JsonNode spec) {
    Long deadline = Json.longInteger(spec, "activeDeadlineSeconds");
    return deadline != null && deadline >= 0;
  }

  private static boolean isBestEffort(ObjectNode pod) {
    return "BestEffort".equals(Json.text(Json.objectAt(pod, "status"), "qosClass"));
  }

  private static boolean reachesOtherNamespaces(JsonNode affinity) {
    return Stream.of("podAffinity", "podAntiAffinity")
        .map(affinity::path)
        .flatMap(rules ->
            Stream.concat(
                rules.path("requiredDuringSchedulingIgnoredDuringExecution").valueStream(),
                rules
                    .path("preferredDuringSchedulingIgnoredDuringExecution")
                    .valueStream()
                    .map(weighted -> weighted.path("podAffinityTerm"))))
        .anyMatch(
            term -> !term.path("namespaces").isEmpty() || term.hasNonNull("namespaceSelector"));
  }
}
