package dev.stint.model.pod;

import dev.stint.model.Json;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The defaults of a pod's specification in Kubernetes 1.36.
 *
 * <p>All methods change the given tree, and are idempotent.
 */
public final class PodDefaults {
  static final List<String> CONTAINER_LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  private PodDefaults() {}

  /** Fills in {@code spec} of a pod or of a pod template. */
  public static void applyToSpec(ObjectNode spec) {
    Defaults.text(spec, "dnsPolicy", "ClusterFirst");
    Defaults.text(spec, "restartPolicy", "Always");
    Defaults.text(spec, "schedulerName", "default-scheduler");
    Defaults.integer(spec, "terminationGracePeriodSeconds", 30);
    Defaults.object(spec, "securityContext");
    mirrorServiceAccount(spec);
    CONTAINER_LISTS.forEach(list -> each(spec, list, ContainerDefaults::apply));
    each(spec, "volumes", VolumeDefaults::apply);
    ResourceDefaults.roundUp(Json.objectAt(spec, "resources"));
    ResourceDefaults.roundUp(spec, "overhead");
  }

  /**
   * Sets the defaults of a pod that its template does not get: the host's ports and the pod's
   * requests.
   */
  public static void applyToPod(ObjectNode pod) {
    ObjectNode spec = Json.objectAt(pod, "spec");
    if (spec == null) {
      return;
    }
    applyToSpec(spec);
    Defaults.bool(spec, "enableServiceLinks", true);
    for (String list : CONTAINER_LISTS) {
      each(spec, list, ResourceDefaults::requestLimits);
    }
    ResourceDefaults.ofPod(spec);
    for (String list : CONTAINER_LISTS) {
      if (Boolean.TRUE.equals(Json.bool(spec, "hostNetwork"))) {
        each(spec, list, PodDefaults::hostPorts);
      }
    }
  }

  /** Calls {@code change} with every object of a list, if there is one. */
  static void each(@Nullable JsonNode tree, String list, Consumer<ObjectNode> change) {
    JsonNode items = Json.arrayAt(tree, list);
    if (items != null) {
      for (JsonNode item : items) {
        if (item instanceof ObjectNode object) {
          change.accept(object);
        }
      }
    }
  }

  /** Keeps the old and the new name of one field in agreement. */
  private static void mirrorServiceAccount(ObjectNode spec) {
    String name = Json.text(spec, "serviceAccountName");
    String old = Json.text(spec, "serviceAccount");
    if (name != null && !name.isEmpty()) {
      spec.put("serviceAccount", name);
    } else if (old != null && !old.isEmpty()) {
      spec.put("serviceAccountName", old);
    }
  }

  private static void hostPorts(ObjectNode container) {
    each(
        container,
        "ports",
        port -> {
          Long containerPort = Json.longInteger(port, "containerPort");
          if (containerPort != null && containerPort != 0) {
            Defaults.integer(port, "hostPort", containerPort);
          }
        });
  }
}
