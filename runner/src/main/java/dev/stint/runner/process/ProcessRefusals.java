package dev.stint.runner.process;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.model.item.ItemSource;
import dev.stint.model.pod.TokenVolume;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.network.HostsFile;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.isolation.SecurityRefusals;
import dev.stint.runner.process.isolation.UnenforcedLimits;
import dev.stint.runner.refusal.PodRefusals;
import dev.stint.runner.volume.VolumeRefusals;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the fields of a pod that plain processes don't support, so that the pod is refused and the
 * field not silently ignored.
 */
final class ProcessRefusals {
  private static final String NO_CONTAINER =
      "not possible in the process runtime, which has no container around a process; remove it or"
          + " use another runtime";

  private static final Map<String, String> POD =
      Map.of(
          "ephemeralContainers", NO_CONTAINER,
          "dnsConfig", NO_CONTAINER,
          "runtimeClassName", NO_CONTAINER,
          "resourceClaims", NO_CONTAINER);

  private static final Map<String, String> CONTAINER =
      Map.ofEntries(
          Map.entry("volumeDevices", NO_CONTAINER),
          Map.entry("stdin", NO_CONTAINER),
          Map.entry("tty", NO_CONTAINER));

  private final PodRefusals common = new PodRefusals("process runtime");
  private final MachineCapabilities machine;
  private final ProcessOptions options;

  private ProcessRefusals(MachineCapabilities machine, ProcessOptions options) {
    this.machine = machine;
    this.options = options;
  }

  static List<FieldError> of(
      KubeObject pod, String pathPrefix, MachineCapabilities machine, ProcessOptions options) {
    ProcessRefusals refusals = new ProcessRefusals(machine, options);
    ObjectNode spec = pod.spec();
    if (spec != null) {
      refusals.pod(spec, pathPrefix.isEmpty() ? "spec" : pathPrefix + ".spec");
    }
    if (options.requireLimits()) {
      UnenforcedLimits.here().of(pod, pathPrefix).forEach(refusals.common::add);
    }
    return refusals.common.found();
  }

  private void pod(ObjectNode spec, String path) {
    common.members(spec, path, POD);
    common.pod(spec, path);
    HostsFile.neededFor(spec).ifPresent(field -> namespace(path + "." + field));
    if ("windows".equals(Json.text(Json.objectAt(spec, "os"), "name"))) {
      common.refuse(path + ".os.name", NO_CONTAINER);
    }
    if (Boolean.FALSE.equals(Json.bool(spec, "hostUsers"))) {
      common.refuse(path + ".hostUsers", NO_CONTAINER);
    }
    security().pod(spec, path);
    volumes(spec, path);
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(spec, list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        String at = path + "." + list + "[" + i + "]";
        container(containers.get(i), at);
        isolation(spec, containers.get(i), at);
        common.hostPorts(spec, containers.get(i), at, true);
      }
    }
  }

  private void volumes(ObjectNode spec, String path) {
    VolumeRefusals.of(spec, path, options.hostPaths()).forEach(common::add);
    common.emptyDirs(spec, path, machine.identity().isRoot());
  }

  /**
   * Checks the fields of a container about the isolation of its processes, in addition to the pod's
   * volumes.
   */
  private void isolation(ObjectNode spec, JsonNode container, String path) {
    security().container(spec, container, path);
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    boolean hasItem = ItemSource.isItemCommand(container) && ItemSource.ofSpec(spec).isPresent();
    for (int i = 0; mounts != null && i < mounts.size(); i++) {
      String at = path + ".volumeMounts[" + i + "]";
      if (!hasItem || !ItemSource.isMount(mounts.get(i))) {
        if (TokenVolume.PATH.equals(Json.text(mounts.get(i), "mountPath"))) {
          tokenPath(at);
        } else {
          namespace(at);
        }
      }
      common.mount(mounts.get(i), at, NO_CONTAINER);
    }
    ObjectNode context = Json.objectAt(container, "securityContext");
    if (Boolean.TRUE.equals(Json.bool(context, "readOnlyRootFilesystem"))) {
      namespace(path + ".securityContext.readOnlyRootFilesystem");
    }
    if (container instanceof ObjectNode known && TerminationMessage.path(known).isPresent()) {
      namespace(path + ".terminationMessagePath");
    }
  }

  private void tokenPath(String path) {
    machine
        .whyNoMounts()
        .ifPresent(why ->
            common.refuse(
                path,
                "a token at its usual path requires a mount namespace, but "
                    + why
                    + "; set automountServiceAccountToken to false, or run Stint as root"));
  }

  private void namespace(String path) {
    machine
        .whyNoMounts()
        .ifPresent(why ->
            common.refuse(
                path,
                "requires a mount namespace, but " + why + "; remove it, or run Stint as root"));
  }

  private SecurityRefusals security() {
    return new SecurityRefusals(machine.identity(), common::refuse);
  }

  private void container(JsonNode container, String path) {
    common.members(container, path, CONTAINER);
    common.container(container, path);
  }
}
