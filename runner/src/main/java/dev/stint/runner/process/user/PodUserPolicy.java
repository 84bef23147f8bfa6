package dev.stint.runner.process.user;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides as whom the pods of a namespace run: as its user, whatever they ask for. Pods of a
 * privileged namespace may name others.
 *
 * @param isPrivileged true if a namespace's level of pod security is privileged
 */
public record PodUserPolicy(PodUsers users, Predicate<String> isPrivileged) {
  /** Pods run as Stint's own user unless they name another. */
  public static final PodUserPolicy NONE = new PodUserPolicy(_ -> Optional.empty(), _ -> true);

  private static final String USER = "runAsUser";
  private static final String GROUP = "runAsGroup";
  private static final String CONTEXT = "securityContext";

  /** Returns the pod as it is run: with its namespace's user, unless it names one. */
  public KubeObject assign(KubeObject pod) {
    try {
      Optional<PodUser> user = users.of(pod.namespace());
      return user.isEmpty() ? pod : assigned(pod, user.get());
    } catch (IOException none) {
      return pod; // Refused, see below.
    }
  }

  private static KubeObject assigned(KubeObject pod, PodUser user) {
    ObjectNode tree = pod.copy();
    ObjectNode spec = tree.withObjectProperty("spec");
    ObjectNode given = Json.objectAt(spec, CONTEXT);
    ObjectNode context = given == null ? spec.putObject(CONTEXT) : given;
    Long named = Json.longInteger(context, USER);
    if (named == null || named == user.uid()) {
      context.put(USER, user.uid());
      if (Json.longInteger(context, GROUP) == null) {
        context.put(GROUP, user.gid());
      }
    }
    return KubeObject.of(tree);
  }

  /** Returns the fields of a pod that name users or groups that it may not run as. */
  public List<FieldError> refusals(KubeObject pod) {
    List<FieldError> refused = new ArrayList<>();
    try {
      Optional<PodUser> user = users.of(pod.namespace());
      if (user.isPresent() && !isPrivileged.test(pod.namespace())) {
        check(pod, user.get(), refused);
      }
    } catch (IOException none) {
      refused.add(error("spec." + CONTEXT + "." + USER, String.valueOf(none.getMessage())));
    }
    return refused;
  }

  private static void check(KubeObject pod, PodUser user, List<FieldError> refused) {
    ObjectNode spec = pod.spec();
    ObjectNode context = Json.objectAt(spec, CONTEXT);
    String path = "spec." + CONTEXT;
    ids(context, path, user, refused);
    group(context, "fsGroup", path, user, refused);
    ArrayNode groups = Json.arrayAt(context, "supplementalGroups");
    for (int i = 0; groups != null && i < groups.size(); i++) {
      if (groups.get(i).longValue() != user.gid()) {
        refused.add(group(path + ".supplementalGroups[" + i + "]", user));
      }
    }
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(spec, list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        JsonNode container = containers.get(i);
        String at = "spec." + list + "[" + i + "]." + CONTEXT;
        ids(Json.objectAt(container, CONTEXT), at, user, refused);
      }
    }
  }

  private static void ids(
      @Nullable ObjectNode context, String path, PodUser user, List<FieldError> refused) {
    Long named = Json.longInteger(context, USER);
    if (named != null && named != user.uid()) {
      refused.add(
          error(
              path + "." + USER,
              "pods of this namespace run as user "
                  + user.uid()
                  + "; remove the field, or label the namespace"
                  + " pod-security.kubernetes.io/enforce=privileged"));
    }
    group(context, GROUP, path, user, refused);
  }

  private static void group(
      @Nullable ObjectNode context,
      String field,
      String path,
      PodUser user,
      List<FieldError> refused) {
    Long named = Json.longInteger(context, field);
    if (named != null && named != user.gid()) {
      refused.add(group(path + "." + field, user));
    }
  }

  private static FieldError group(String path, PodUser user) {
    return error(
        path,
        "pods of this namespace have group "
            + user.gid()
            + " and no other; remove the field, or label the namespace"
            + " pod-security.kubernetes.io/enforce=privileged");
  }

  private static FieldError error(String path, String detail) {
    return new FieldError(path, FieldError.Type.FORBIDDEN, detail);
  }
}
