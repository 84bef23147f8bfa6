package dev.stint.runner.process;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.env.FieldRef;
import dev.stint.runner.env.ResourceRef;
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
          "volumes", NOT_YET,
          "securityContext", NO_CONTAINER,
          "hostAliases", NO_CONTAINER,
          "dnsConfig", NO_CONTAINER,
          "runtimeClassName", NO_CONTAINER,
          "resourceClaims", NO_CONTAINER);

  private static final Map<String, String> CONTAINER =
      Map.ofEntries(
          Map.entry("volumeMounts", NOT_YET),
          Map.entry("volumeDevices", NO_CONTAINER),
          Map.entry("securityContext", NO_CONTAINER),
          Map.entry("stdin", NO_CONTAINER),
          Map.entry("tty", NO_CONTAINER));

  private static final Map<String, String> VALUE_FROM = Map.of("fileKeyRef", NOT_YET);
  private static final Map<String, String> PROBE = Map.of("grpc", NOT_YET);
  private static final Map<String, String> LIFECYCLE = Map.of("stopSignal", NOT_YET);

  private final List<FieldError> found = new ArrayList<>();

  private Refusals() {}

  static List<FieldError> of(KubeObject pod, String pathPrefix) {
    Refusals refusals = new Refusals();
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
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(spec, list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        container(containers.get(i), path + "." + list + "[" + i + "]");
      }
    }
  }

  private void container(JsonNode container, String path) {
    members(container, path, CONTAINER);
    termination(container, path);
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

  /** The defaults of these are in every pod, so they pass; nothing is read from that file. */
  private void termination(JsonNode container, String path) {
    String file = Json.text(container, "terminationMessagePath");
    if (file != null && !file.isEmpty() && !file.equals("/dev/termination-log")) {
      refuse(path + ".terminationMessagePath", NOT_YET);
    }
    if ("FallbackToLogsOnError".equals(Json.text(container, "terminationMessagePolicy"))) {
      refuse(path + ".terminationMessagePolicy", NOT_YET);
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
