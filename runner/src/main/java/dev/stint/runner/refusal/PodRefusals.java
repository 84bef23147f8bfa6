package dev.stint.runner.refusal;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.runner.env.FieldRef;
import dev.stint.runner.env.ResourceRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects the refused fields of a pod, and finds those that every runtime of one machine refuses.
 */
public final class PodRefusals {
  private static final String NO_SUCH_HOOK = "no node supports this hook; use exec or httpGet";

  private static final String NO_SHARED_LIMITS =
      "limits of a pod as a whole are not enforced here; set them on its containers";

  private final List<FieldError> found = new ArrayList<>();
  private final String notYet;

  /**
   * @param runtime its name, such as {@code process runtime}
   */
  public PodRefusals(String runtime) {
    this.notYet = "not supported by the " + runtime + " yet; remove it";
  }

  /** Returns all refusals so far. */
  public List<FieldError> found() {
    return List.copyOf(found);
  }

  public void refuse(String path, String detail) {
    found.add(new FieldError(path, FieldError.Type.NOT_SUPPORTED, detail));
  }

  /** Adds a refusal that was found elsewhere. */
  public void add(FieldError fault) {
    found.add(fault);
  }

  /** Refuses those members of an object that hold anything, with their details. */
  public void members(JsonNode parent, String path, Map<String, String> refused) {
    Map<String, String> asked = new TreeMap<>();
    refused.forEach((member, why) -> {
      if (isSet(parent.get(member))) {
        asked.put(member, why);
      }
    });
    asked.forEach((member, why) -> refuse(path + "." + member, why));
  }

  /** Refuses fields of the whole pod that no runtime of one machine supports. */
  public void pod(ObjectNode spec, String path) {
    ObjectNode resources = Json.objectAt(spec, "resources");
    if (resources != null) {
      members(resources, path + ".resources", Map.of("limits", NO_SHARED_LIMITS));
    }
  }

  /**
   * Refuses ports of the machine that would not be the container's.
   *
   * @param shared true if containers have the machine's network anyway
   */
  public void hostPorts(ObjectNode spec, JsonNode container, String path, boolean shared) {
    ArrayNode ports = Json.arrayAt(container, "ports");
    if (ports == null || Boolean.TRUE.equals(Json.bool(spec, "hostNetwork"))) {
      return;
    }
    for (int i = 0; i < ports.size(); i++) {
      Integer hostPort = Json.integer(ports.get(i), "hostPort");
      boolean same =
          shared && Objects.equals(hostPort, Json.integer(ports.get(i), "containerPort"));
      if (hostPort != null && hostPort != 0 && !same) {
        refuse(
            path + ".ports[" + i + "].hostPort",
            shared
                ? "must equal the containerPort here, since the container uses the ports of the machine"
                : "ports of this machine are not forwarded; remove it, or set hostNetwork");
      }
    }
  }

  /** Refuses probes, hooks, restart rules and variables of a container. */
  public void container(JsonNode container, String path) {
    handlers(container, path);
    ArrayNode variables = Json.arrayAt(container, "env");
    for (int i = 0; variables != null && i < variables.size(); i++) {
      valueFrom(variables.get(i), path + ".env[" + i + "].valueFrom");
    }
  }

  /** Refuses mount options that no volume here supports. */
  public void mount(JsonNode mount, String path, String detail) {
    String propagation = Json.text(mount, "mountPropagation");
    if (propagation != null && !propagation.equals("None")) {
      refuse(path + ".mountPropagation", detail);
    }
    if ("Enabled".equals(Json.text(mount, "recursiveReadOnly"))) {
      refuse(path + ".recursiveReadOnly", detail);
    }
  }

  /**
   * Refuses unsupported empty directories.
   *
   * @param root true if this program may mount memory
   */
  public void emptyDirs(ObjectNode spec, String path, boolean root) {
    ArrayNode volumes = Json.arrayAt(spec, "volumes");
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      ObjectNode scratch = Json.objectAt(volumes.get(i), "emptyDir");
      String at = path + ".volumes[" + i + "].emptyDir";
      boolean memory = "Memory".equals(Json.text(scratch, "medium"));
      if (memory && !root) {
        refuse(
            at + ".medium", "only root can mount memory; remove it to have the directory on disk");
      }
    }
  }

  private void handlers(JsonNode container, String path) {
    ObjectNode lifecycle = Json.objectAt(container, "lifecycle");
    for (String hook : List.of("postStart", "preStop")) {
      membersOf(lifecycle, path + ".lifecycle", hook, Map.of("tcpSocket", NO_SUCH_HOOK));
    }
    ArrayNode rules = Json.arrayAt(container, "restartPolicyRules");
    for (int i = 0; rules != null && i < rules.size(); i++) {
      if ("RestartAllContainers".equals(Json.text(rules.get(i), "action"))) {
        refuse(path + ".restartPolicyRules[" + i + "].action", notYet);
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
    ObjectNode resource = Json.objectAt(source, "resourceFieldRef");
    if (resource != null && !ResourceRef.isKnown(resource)) {
      refuse(
          path + ".resourceFieldRef.resource",
          "must be limits.cpu, limits.memory, requests.cpu or requests.memory");
    }
    ObjectNode fieldRef = Json.objectAt(source, "fieldRef");
    if (fieldRef != null && !FieldRef.isKnown(fieldRef)) {
      refuse(
          path + ".fieldRef.fieldPath",
          "must be metadata.name, metadata.namespace, metadata.uid, metadata.labels['<KEY>'],"
              + " metadata.annotations['<KEY>'], spec.nodeName, spec.serviceAccountName,"
              + " status.hostIP, status.hostIPs, status.podIP or status.podIPs");
    }
  }

  /** True if a member holds anything at all. */
  static boolean isSet(@Nullable JsonNode value) {
    return value != null
        && !value.isNull()
        && !(value.isContainer() && value.isEmpty())
        && !(value.isBoolean() && !value.booleanValue())
        && !(value.isString() && value.stringValue().isEmpty());
  }
}
