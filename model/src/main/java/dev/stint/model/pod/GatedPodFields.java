package dev.stint.model.pod;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of a pod's {@code spec} that exist only with a gate on.
 *
 * <p>All uses of a field stay if the stored pod uses it anywhere, as in Kubernetes.
 */
public final class GatedPodFields {
  private static final List<Field> FIELDS =
      List.of(
          new Field(
              Gate.ContainerStopSignals,
              GatedPodFields::containers,
              List.of("lifecycle", "stopSignal")),
          new Field(Gate.GenericWorkload, List::of, List.of("schedulingGroup")),
          new Field(
              Gate.ClusterTrustBundleProjection,
              GatedPodFields::projectedSources,
              List.of("clusterTrustBundle")),
          new Field(
              Gate.PodCertificateRequest,
              GatedPodFields::projectedSources,
              List.of("podCertificate")));

  private GatedPodFields() {}

  /**
   * Removes the fields of disabled gates, unless the stored pod uses them.
   *
   * @param spec the specification of a pod or of a pod template; changed in place
   * @param stored the specification before; null for a new object
   */
  public static void drop(ObjectNode spec, @Nullable ObjectNode stored, FeatureGates gates) {
    for (Field field : FIELDS) {
      if (!gates.has(field.gate) && !field.isUsed(stored)) {
        field.drop(spec);
      }
    }
  }

  private static List<ObjectNode> containers(ObjectNode spec) {
    List<ObjectNode> found = new ArrayList<>();
    PodDefaults.CONTAINER_LISTS.forEach(list -> PodDefaults.each(spec, list, found::add));
    return found;
  }

  private static List<ObjectNode> projectedSources(ObjectNode spec) {
    List<ObjectNode> found = new ArrayList<>();
    PodDefaults.each(
        spec,
        "volumes",
        volume -> PodDefaults.each(Json.objectAt(volume, "projected"), "sources", found::add));
    return found;
  }

  /**
   * A gated field.
   *
   * @param holders the objects of a specification that may have it
   * @param path the path from such an object: the field's name, or its parent's name and its own
   */
  private record Field(
      Gate gate, Function<ObjectNode, List<ObjectNode>> holders, List<String> path) {
    boolean isUsed(@Nullable ObjectNode spec) {
      return spec != null && holders.apply(spec).stream().anyMatch(this::isIn);
    }

    void drop(ObjectNode spec) {
      holders.apply(spec).stream().filter(this::isIn).forEach(this::dropFrom);
    }

    private boolean isIn(ObjectNode holder) {
      ObjectNode parent = parent(holder);
      return parent != null && parent.hasNonNull(path.getLast());
    }

    /** Removes the field from an object, and its parent if that becomes empty. */
    private void dropFrom(ObjectNode holder) {
      ObjectNode parent = parent(holder);
      if (parent != null) {
        parent.remove(path.getLast());
        if (parent != holder && parent.isEmpty()) {
          holder.remove(path.getFirst());
        }
      }
    }

    private @Nullable ObjectNode parent(ObjectNode holder) {
      return path.size() == 1 ? holder : Json.objectAt(holder, path.getFirst());
    }
  }
}
