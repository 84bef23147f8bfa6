package dev.stint.runner.process;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The environment of a container.
 *
 * <p>There is no image whose environment it could have, so it inherits this program's own. {@code
 * $(VAR)} references see the variables that the container declares, and no others, as on a cluster.
 */
final class Environment {
  /** Longest name of a Linux host. */
  private static final int HOSTNAME_MAX = 63;

  private Environment() {}

  /** The variables that {@code env} declares, references expanded, in order. */
  static Map<String, String> declared(KubeObject pod, ObjectNode container) {
    Map<String, String> declared = new LinkedHashMap<>();
    ArrayNode variables = Json.arrayAt(container, "env");
    if (variables != null) {
      for (JsonNode variable : variables) {
        String name = Json.text(variable, "name");
        if (name != null) {
          declared.put(name, value(pod, variable, declared));
        }
      }
    }
    return declared;
  }

  /**
   * All variables.
   *
   * @param inherited this program's own
   */
  static Map<String, String> full(
      Map<String, String> inherited,
      Map<String, String> declared,
      KubeObject pod,
      String workingDir) {
    Map<String, String> full = new LinkedHashMap<>(inherited);
    full.remove("OLDPWD");
    full.put("PWD", workingDir);
    full.put("HOSTNAME", hostname(pod));
    full.putAll(declared);
    full.put("STINT_POD_UID", pod.uid());
    return full;
  }

  /** The pod's host name, as its containers would see it. */
  static String hostname(KubeObject pod) {
    String given = Json.text(pod.spec(), "hostname");
    String name = given == null || given.isEmpty() ? pod.name() : given;
    return name.length() <= HOSTNAME_MAX
        ? name
        : name.substring(0, HOSTNAME_MAX).replaceAll("[-.]+$", "");
  }

  private static String value(
      KubeObject pod, JsonNode variable, Map<String, String> declaredBefore) {
    ObjectNode fieldRef = Json.objectAt(Json.objectAt(variable, "valueFrom"), "fieldRef");
    if (fieldRef != null) {
      return FieldRef.value(pod, fieldRef);
    }
    return Expansion.expand(orEmpty(Json.text(variable, "value")), declaredBefore);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
