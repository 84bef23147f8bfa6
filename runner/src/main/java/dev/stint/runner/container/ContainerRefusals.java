package dev.stint.runner.container;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.refusal.PodRefusals;
import dev.stint.runner.volume.ClaimDirs;
import dev.stint.runner.volume.HostPaths;
import dev.stint.runner.volume.VolumeRefusals;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the fields of a pod that a daemon's containers don't support, or not here, so that the pod
 * is refused and the field not silently ignored.
 */
final class ContainerRefusals {
  private static final String NOT_YET = "not supported by the container runtime yet; remove it";
  private static final String NOBODY = "nothing on this machine provides it; remove it";

  private static final Map<String, String> POD =
      Map.of(
          "ephemeralContainers", NOT_YET,
          "dnsConfig", NOT_YET,
          "shareProcessNamespace", NOT_YET,
          "runtimeClassName", NOBODY,
          "resourceClaims", NOBODY);

  private static final Map<String, String> CONTAINER =
      Map.of("volumeDevices", NOBODY, "stdin", NOT_YET, "tty", NOT_YET);

  private static final Map<String, String> SECURITY =
      Map.of(
          "sysctls", NOT_YET,
          "seLinuxOptions", NOT_YET,
          "windowsOptions", NOBODY,
          "privileged", "pods must not have all rights of root on this machine; remove it");

  private final PodRefusals common = new PodRefusals("container runtime");
  private final ContainerOptions options;

  private ContainerRefusals(ContainerOptions options) {
    this.options = options;
  }

  static List<FieldError> of(KubeObject pod, String pathPrefix, ContainerOptions options) {
    ContainerRefusals refusals = new ContainerRefusals(options);
    ObjectNode spec = pod.spec();
    if (spec != null) {
      refusals.pod(spec, pod.namespace(), pathPrefix.isEmpty() ? "spec" : pathPrefix + ".spec");
    }
    return refusals.common.found();
  }

  private void pod(ObjectNode spec, String namespace, String path) {
    common.members(spec, path, POD);
    common.pod(spec, path);
    if ("windows".equals(Json.text(Json.objectAt(spec, "os"), "name"))) {
      common.refuse(path + ".os.name", NOBODY);
    }
    if (Boolean.FALSE.equals(Json.bool(spec, "hostUsers"))) {
      common.refuse(path + ".hostUsers", NOT_YET);
    }
    security(spec, path);
    VolumeRefusals.of(spec, path, options.hostPaths()).forEach(common::add);
    common.emptyDirs(spec, path, ReplaceablePaths.canPin());
    if (!ReplaceablePaths.canPin()) {
      ReplaceablePaths.of(spec, namespace, path, paths()).forEach(common::add);
    }
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(spec, list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        String at = path + "." + list + "[" + i + "]";
        container(containers.get(i), at);
        common.hostPorts(spec, containers.get(i), at, false);
      }
    }
  }

  private HostPaths paths() {
    return new HostPaths(options.hostPaths(), new ClaimDirs(options.claims(), Path.of("volumes")));
  }

  private void container(JsonNode container, String path) {
    common.members(container, path, CONTAINER);
    common.container(container, path);
    String image = Json.text(container, "image");
    if (image == null || image.isEmpty()) {
      common.refuse(path + ".image", "is required here: it provides the files of a container");
    }
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    for (int i = 0; mounts != null && i < mounts.size(); i++) {
      common.mount(mounts.get(i), path + ".volumeMounts[" + i + "]", NOT_YET);
    }
    security(container, path);
  }

  /** Checks the {@code securityContext} of a pod or of a container. */
  private void security(JsonNode parent, String parentPath) {
    ObjectNode context = Json.objectAt(parent, "securityContext");
    if (context == null) {
      return;
    }
    String path = parentPath + ".securityContext";
    common.members(context, path, SECURITY);
    String procMount = Json.text(context, "procMount");
    if (procMount != null && !procMount.equals("Default")) {
      common.refuse(path + ".procMount", NOT_YET);
    }
    for (String profile : List.of("seccompProfile", "appArmorProfile")) {
      String type = Json.text(Json.objectAt(context, profile), "type");
      if (type != null && !List.of("RuntimeDefault", "Unconfined").contains(type)) {
        common.refuse(path + "." + profile, "must be of type RuntimeDefault or Unconfined here");
      }
    }
  }
}
