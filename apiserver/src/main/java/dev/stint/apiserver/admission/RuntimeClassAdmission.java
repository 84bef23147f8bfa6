package dev.stint.apiserver.admission;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of runtime classes, as in a cluster: a pod names one that exists, and gets its
 * overhead and what it says about nodes.
 */
public final class RuntimeClassAdmission implements AdmissionStep {
  private static final Kind RUNTIME_CLASS = Kind.of("node.k8s.io/v1", "RuntimeClass").orElseThrow();
  private static final String OVERHEAD = "overhead";

  private final ObjectReader stored;

  public RuntimeClassAdmission(ObjectReader stored) {
    this.stored = stored;
  }

  /** Throws {@code FORBIDDEN} if a pod names a class that does not exist. */
  @Override
  public KubeObject mutate(Kind kind, KubeObject pod) throws ClusterException {
    String name = kind.equals(Kind.POD) ? Json.text(pod.spec(), "runtimeClassName") : null;
    if (name == null || name.isEmpty()) {
      return pod;
    }
    ObjectNode runtimeClass = runtimeClass(name);
    if (runtimeClass == null) {
      throw refused(pod, "RuntimeClass \"" + name + "\" not found");
    }
    ObjectNode copy = pod.copy();
    complete(copy.withObjectProperty("spec"), runtimeClass, pod);
    return KubeObject.of(copy);
  }

  private static void complete(ObjectNode spec, ObjectNode runtimeClass, KubeObject pod)
      throws ClusterException {
    JsonNode fixed = fixed(runtimeClass);
    if (!fixed.isEmpty() && !spec.hasNonNull(OVERHEAD)) {
      spec.set(OVERHEAD, fixed.deepCopy());
    }
    JsonNode scheduling = runtimeClass.path("scheduling");
    for (Map.Entry<String, JsonNode> label : scheduling.path("nodeSelector").properties()) {
      ObjectNode selector = spec.withObjectProperty("nodeSelector");
      JsonNode own = selector.get(label.getKey());
      if (own != null && !own.equals(label.getValue())) {
        throw refused(
            pod,
            "conflict: runtimeClass.scheduling.nodeSelector["
                + label.getKey()
                + "] and pod.spec.nodeSelector differ");
      }
      selector.set(label.getKey(), label.getValue());
    }
    for (JsonNode toleration : scheduling.path("tolerations")) {
      ArrayNode all = spec.withArrayProperty("tolerations");
      if (all.valueStream().noneMatch(toleration::equals)) {
        all.add(toleration.deepCopy());
      }
    }
  }

  /** Throws {@code FORBIDDEN} if a pod was sent with an overhead other than that of its class. */
  @Override
  public void validateNew(ObjectRef ref, ObjectNode sent, ObjectNode after, WriteOptions options)
      throws ClusterException {
    ObjectNode spec = ref.kind().equals(Kind.POD) ? Json.objectAt(sent, "spec") : null;
    if (spec == null || !spec.hasNonNull(OVERHEAD)) {
      return;
    }
    String name = Json.text(spec, "runtimeClassName");
    ObjectNode runtimeClass = name == null || name.isEmpty() ? null : runtimeClass(name);
    if (runtimeClass == null || fixed(runtimeClass).isEmpty()) {
      throw ApiErrors.forbidden(
          ref,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
    if (!isSame(spec.path(OVERHEAD), fixed(runtimeClass))) {
      throw ApiErrors.forbidden(
          ref, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
  }

  private @Nullable ObjectNode runtimeClass(String name) {
    return stored.tree(new ObjectRef(RUNTIME_CLASS, "", name));
  }

  private static JsonNode fixed(ObjectNode runtimeClass) {
    return runtimeClass.path(OVERHEAD).path("podFixed");
  }

  /** True if both have the same amounts, however they are written. */
  private static boolean isSame(JsonNode amounts, JsonNode others) {
    return amounts.size() == others.size()
        && amounts.properties().stream()
            .allMatch(amount -> {
              Quantity one = Quantity.parse(amount.getValue().asString(""));
              Quantity other = Quantity.parse(others.path(amount.getKey()).asString(""));
              return one != null && other != null && one.compareTo(other) == 0;
            });
  }

  private static ClusterException refused(KubeObject pod, String why) {
    return ApiErrors.forbidden(
        new ObjectRef(Kind.POD, pod.namespace(), pod.name()), "pod rejected: " + why);
  }
}
