package dev.stint.runner.process;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.env.FieldRef;
import dev.stint.runner.env.ResourceRef;
import dev.stint.runner.volume.VolumeRefusals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds what a pod asks of its node that processes without a container around them can't have, so
 * that it is refused and not silently left out.
 */
final class Refusals {
  private static final String NOT_YET = "not supported by the process runtime yet; remove it";
  private static final String NO_CONTAINER =
      "not possible in the process runtime, which has no container around a process; remove it or"
          + " use another runtime";

  private static final String NO_SUCH_HOOK = "not a hook that any node runs; use exec or httpGet";

  private static final Map<String, String> POD =
      Map.of(
          "ephemeralContainers", NO_CONTAINER,
          "hostAliases", NO_CONTAINER,
          "dnsConfig", NO_CONTAINER,
          "runtimeClassName", NO_CONTAINER,
          "resourceClaims", NO_CONTAINER);

  private static final Map<String, String> CONTAINER =
      Map.ofEntries(
          Map.entry("volumeDevices", NO_CONTAINER),
          Map.entry("stdin", NO_CONTAINER),
          Map.entry("tty", NO_CONTAINER));

  private static final Map<String, String> VALUE_FROM = Map.of("fileKeyRef", NOT_YET);
  private static final Map<String, String> PROBE = Map.of("grpc", NOT_YET);
  private static final Map<String, String> LIFECYCLE = Map.of("stopSignal", NOT_YET);

  private final List<FieldError> found = new ArrayList<>();

  private final Machine machine;
  private final ProcessOptions options;

  private Refusals(Machine machine, ProcessOptions options) {
    this.machine = machine;
    this.options = options;
  }

  static List<FieldError> of(
      KubeObject pod, String pathPrefix, Machine machine, ProcessOptions options) {
    Refusals refusals = new Refusals(machine, options);
    ObjectNode spec = pod.spec();
    if (spec != null) {
      refusals.pod(spec, pathPrefix.isEmpty() ? "spec" : pathPrefix + ".spec");
    }
    return List.copyOf(refusals.found);
  }

  private void pod(ObjectNode spec, String path) {
    members(spec, path, POD);
    if ("windows".equals(Json.text(Json.objectAt(spec, "os"), "name"))) {
      refuse(path + ".os.name", NO_CONTAINER);
    }
    if (Boolean.FALSE.equals(Json.bool(spec, "hostUsers"))) {
      refuse(path + ".hostUsers", NO_CONTAINER);
    }
    security().pod(spec, path);
    volumes(spec, path);
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(spec, list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        String at = path + "." + list + "[" + i + "]";
        container(containers.get(i), at);
        surroundings(spec, containers.get(i), at);
      }
    }
  }

  private void volumes(ObjectNode spec, String path) {
    found.addAll(VolumeRefusals.of(spec, path, options.hostPaths()));
    ArrayNode volumes = Json.arrayAt(spec, "volumes");
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      ObjectNode scratch = Json.objectAt(volumes.get(i), "emptyDir");
      String at = path + ".volumes[" + i + "].emptyDir";
      boolean memory = "Memory".equals(Json.text(scratch, "medium"));
      if (memory && !machine.identity().root()) {
        refuse(
            at + ".medium", "only root can mount memory; remove it, and the directory is on disk");
      }
    }
  }

  /** What a container asks for around its processes, beside the pod's volumes. */
  private void surroundings(ObjectNode spec, JsonNode container, String path) {
    security().container(spec, container, path);
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    for (int i = 0; mounts != null && i < mounts.size(); i++) {
      String at = path + ".volumeMounts[" + i + "]";
      namespace(at);
      String propagation = Json.text(mounts.get(i), "mountPropagation");
      if (propagation != null && !propagation.equals("None")) {
        refuse(at + ".mountPropagation", NO_CONTAINER);
      }
      if ("Enabled".equals(Json.text(mounts.get(i), "recursiveReadOnly"))) {
        refuse(at + ".recursiveReadOnly", NO_CONTAINER);
      }
    }
    ObjectNode context = Json.objectAt(container, "securityContext");
    if (Boolean.TRUE.equals(Json.bool(context, "readOnlyRootFilesystem"))) {
      namespace(path + ".securityContext.readOnlyRootFilesystem");
    }
    if (container instanceof ObjectNode known && TerminationMessage.path(known).isPresent()) {
      namespace(path + ".terminationMessagePath");
    }
  }

  private void namespace(String path) {
    machine
        .whyNoMounts()
        .ifPresent(why ->
            refuse(
                path, "takes a mount namespace, and " + why + "; remove it, or run Stint as root"));
  }

  private SecurityRefusals security() {
    return new SecurityRefusals(machine.identity(), this::refuse);
  }

  private void container(JsonNode container, String path) {
    members(container, path, CONTAINER);
    handlers(container, path);
    ArrayNode variables = Json.arrayAt(container, "env");
    for (int i = 0; variables != null && i < variables.size(); i++) {
      valueFrom(variables.get(i), path + ".env[" + i + "].valueFrom");
    }
  }

  private void handlers(JsonNode container, String path) {
    for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      membersOf(container, path, probe, PROBE);
    }
    membersOf(container, path, "lifecycle", LIFECYCLE);
    ObjectNode lifecycle = Json.objectAt(container, "lifecycle");
    for (String hook : List.of("postStart", "preStop")) {
      membersOf(lifecycle, path + ".lifecycle", hook, Map.of("tcpSocket", NO_SUCH_HOOK));
    }
    ArrayNode rules = Json.arrayAt(container, "restartPolicyRules");
    for (int i = 0; rules != null && i < rules.size(); i++) {
      if ("RestartAllContainers".equals(Json.text(rules.get(i), "action"))) {
        refuse(path + ".restartPolicyRules[" + i + "].action", NOT_YET);
      }
    }
  }

  private void membersOf(
      @Nullable JsonNode parent, String path, String member, Map<String, String> refused) {
    ObjectNode found = Json.objectAt(parent, member);
    if (found != null) {
      members(found, path + "." + member, refused);
    }
  }

  private void valueFrom(JsonNode variable, String path) {
    ObjectNode source = Json.objectAt(variable, "valueFrom");
    if (source == null) {
      return;
    }
    members(source, path, VALUE_FROM);
    ObjectNode resource = Json.objectAt(source, "resourceFieldRef");
    if (resource != null && !ResourceRef.known(resource)) {
      refuse(
          path + ".resourceFieldRef.resource",
          "must be limits.cpu, limits.memory, requests.cpu or requests.memory");
    }
    ObjectNode fieldRef = Json.objectAt(source, "fieldRef");
    if (fieldRef != null && !FieldRef.known(fieldRef)) {
      refuse(
          path + ".fieldRef.fieldPath",
          "must be metadata.name, metadata.namespace, metadata.uid, metadata.labels['<KEY>'],"
              + " metadata.annotations['<KEY>'], spec.nodeName, spec.serviceAccountName,"
              + " status.hostIP, status.hostIPs, status.podIP or status.podIPs");
    }
  }

  private void members(JsonNode parent, String path, Map<String, String> refused) {
    refused.entrySet().stream()
        .filter(each -> asks(parent.get(each.getKey())))
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> refuse(path + "." + each.getKey(), each.getValue()));
  }

  /** Whether a member holds anything at all. */
  private static boolean asks(@Nullable JsonNode value) {
    return value != null
        && !value.isNull()
        && !(value.isContainer() && value.isEmpty())
        && !(value.isBoolean() && !value.booleanValue())
        && !(value.isString() && value.stringValue().isEmpty());
  }

  private void refuse(String path, String detail) {
    found.add(new FieldError(path, FieldError.Type.NOT_SUPPORTED, detail));
  }
}
