package dev.stint.runner.process.isolation;

import dev.stint.model.Json;
import dev.stint.runner.spec.SecurityContext;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the fields of {@code securityContext}, of pods and containers, that a process does not
 * support here.
 */
public final class SecurityRefusals {
  private static final String NO_CONTAINER =
      "not possible in the process runtime; remove it or use another runtime";

  private final ProcessIdentity own;
  private final BiConsumer<String, String> refuse;

  /**
   * @param refuse receives a field's path and the reason of the refusal
   */
  public SecurityRefusals(ProcessIdentity own, BiConsumer<String, String> refuse) {
    this.own = own;
    this.refuse = refuse;
  }

  public void pod(ObjectNode spec, String specPath) {
    ObjectNode context = Json.objectAt(spec, "securityContext");
    if (context == null) {
      return;
    }
    String path = specPath + ".securityContext";
    common(context, path);
    nonEmpty(context, "sysctls", path);
    group(context.get("fsGroup"), path + ".fsGroup");
    ArrayNode groups = Json.arrayAt(context, "supplementalGroups");
    for (int i = 0; groups != null && i < groups.size(); i++) {
      group(groups.get(i), path + ".supplementalGroups[" + i + "]");
    }
  }

  /**
   * @param spec the pod's spec, whose context applies if the container's own sets nothing
   */
  public void container(ObjectNode spec, JsonNode container, String containerPath) {
    ObjectNode outer = Json.objectAt(spec, "securityContext");
    ObjectNode context = Json.objectAt(container, "securityContext");
    String path = containerPath + ".securityContext";
    if (context != null) {
      common(context, path);
      if (Boolean.TRUE.equals(Json.bool(context, "privileged"))) {
        refuse.accept(
            path + ".privileged",
            "a process cannot have more rights than the user who runs Stint; remove it");
      }
      String procMount = Json.text(context, "procMount");
      if (procMount != null && !procMount.equals("Default")) {
        refuse.accept(path + ".procMount", NO_CONTAINER);
      }
      capabilities(Json.objectAt(context, "capabilities"), path + ".capabilities");
    }
    nonRoot(outer, context, path);
  }

  private void common(ObjectNode context, String path) {
    Long user = Json.longInteger(context, "runAsUser");
    if (user != null && !own.isRoot() && user != own.user()) {
      refuse.accept(
          path + ".runAsUser",
          "Stint runs as user "
              + own.user()
              + " and can run processes only as this user; run it as root"
              + " or remove the field");
    }
    group(context.get("runAsGroup"), path + ".runAsGroup");
    nonEmpty(context, "seLinuxOptions", path);
    nonEmpty(context, "windowsOptions", path);
    profile(context, "seccompProfile", path);
    profile(context, "appArmorProfile", path);
  }

  private void group(@Nullable JsonNode given, String path) {
    if (given != null
        && given.isIntegralNumber()
        && !own.isRoot()
        && !own.isInGroup(given.longValue())) {
      refuse.accept(path, "Stint's user is not in this group; run it as root or remove the field");
    }
  }

  /**
   * Refuses profiles other than RuntimeDefault and Unconfined, since processes run under no profile
   * of ours.
   */
  private void profile(ObjectNode context, String member, String path) {
    String type = Json.text(Json.objectAt(context, member), "type");
    if (type != null && !List.of("RuntimeDefault", "Unconfined").contains(type)) {
      refuse.accept(path + "." + member, "must be of type RuntimeDefault or Unconfined here");
    }
  }

  private void nonEmpty(ObjectNode context, String member, String path) {
    JsonNode value = context.get(member);
    if (value != null && value.isContainer() && !value.isEmpty()) {
      refuse.accept(path + "." + member, NO_CONTAINER);
    }
  }

  private void capabilities(@Nullable ObjectNode capabilities, String path) {
    ArrayNode added = Json.arrayAt(capabilities, "add");
    for (int i = 0; added != null && i < added.size(); i++) {
      String name = added.get(i).stringValue("");
      if (!own.hasCapability(name)) {
        refuse.accept(path + ".add[" + i + "]", "Stint itself lacks the capability " + name);
      }
    }
    ArrayNode dropped = Json.arrayAt(capabilities, "drop");
    for (int i = 0; dropped != null && i < dropped.size(); i++) {
      String name = dropped.get(i).stringValue("");
      if (!ProcessIdentity.isCapability(name) && !name.equalsIgnoreCase(SecurityContext.ALL)) {
        refuse.accept(path + ".drop[" + i + "]", "unknown capability");
      }
    }
  }

  private void nonRoot(@Nullable ObjectNode outer, @Nullable ObjectNode inner, String path) {
    Boolean asked = Json.bool(inner, "runAsNonRoot");
    if (asked == null) {
      asked = Json.bool(outer, "runAsNonRoot");
    }
    Long user = Json.longInteger(inner, "runAsUser");
    if (user == null) {
      user = Json.longInteger(outer, "runAsUser");
    }
    if (Boolean.TRUE.equals(asked) && (user == null ? own.user() : user) == ProcessIdentity.ROOT) {
      refuse.accept(
          path + ".runAsNonRoot", "the container would run as root; set runAsUser to another user");
    }
  }
}
