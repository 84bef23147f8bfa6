package dev.stint.runner.process;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a container's processes may be and do: its own {@code securityContext} over the pod's.
 *
 * @param user null: as this program
 * @param group null: the user's own
 * @param groups further ones: {@code supplementalGroups} and {@code fsGroup}
 * @param drop capabilities, or {@code all}, by their plain names
 * @param add capabilities that stay though {@code all} are dropped
 */
record SecurityContext(
    @Nullable Long user,
    @Nullable Long group,
    Set<Long> groups,
    List<String> drop,
    List<String> add,
    boolean noNewPrivileges,
    boolean readOnlyRoot) {
  static final String ALL = "all";

  static SecurityContext of(KubeObject pod, ObjectNode container) {
    ObjectNode outer = Json.objectAt(pod.spec(), "securityContext");
    ObjectNode inner = Json.objectAt(container, "securityContext");
    Long user = Json.longInteger(inner, "runAsUser");
    Long group = Json.longInteger(inner, "runAsGroup");
    ObjectNode capabilities = Json.objectAt(inner, "capabilities");
    return new SecurityContext(
        user == null ? Json.longInteger(outer, "runAsUser") : user,
        group == null ? Json.longInteger(outer, "runAsGroup") : group,
        groups(outer),
        names(capabilities, "drop"),
        names(capabilities, "add"),
        Boolean.FALSE.equals(Json.bool(inner, "allowPrivilegeEscalation")),
        Boolean.TRUE.equals(Json.bool(inner, "readOnlyRootFilesystem")));
  }

  /** The group that a pod's volumes are for, or null. */
  static @Nullable Long fsGroup(KubeObject pod) {
    return Json.longInteger(Json.objectAt(pod.spec(), "securityContext"), "fsGroup");
  }

  /**
   * The start of a command line that makes its rest run so; empty where nothing is asked for.
   *
   * @param setpriv the program of that name
   * @param own what this program is
   * @param namespaced whether the process has got capabilities for its namespace, to be given up
   */
  List<String> prefix(String setpriv, Identity own, boolean namespaced) {
    List<String> options = new ArrayList<>();
    if (own.root()) {
      identity(options);
      capabilities(options);
    } else if (namespaced) {
      options.add("--inh-caps=-all");
      options.add("--ambient-caps=-all");
    }
    // Who is not root has no capabilities; this way it gets none by other programs either.
    if (noNewPrivileges || (!own.root() && !drop.isEmpty())) {
      options.add("--no-new-privs");
    }
    if (options.isEmpty()) {
      return List.of();
    }
    options.addFirst(setpriv);
    options.add("--");
    return options;
  }

  /** Whether its processes are of another user than this program. */
  boolean otherUser(Identity own) {
    return user != null && user != own.user();
  }

  private void identity(List<String> options) {
    if (user == null && group == null && groups.isEmpty()) {
      return;
    }
    if (user != null) {
      options.add("--reuid=" + user);
    }
    Long asked = group == null && user != null ? Long.valueOf(Users.group(user)) : group;
    if (asked != null) {
      options.add("--regid=" + asked);
    }
    options.add(
        groups.isEmpty()
            ? "--clear-groups"
            : "--groups=" + groups.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  private void capabilities(List<String> options) {
    if (drop.isEmpty()) {
      return;
    }
    String less = drop.stream().map(name -> "-" + name).collect(Collectors.joining(","));
    String more =
        drop.contains(ALL)
            ? add.stream().map(name -> ",+" + name).collect(Collectors.joining())
            : "";
    options.add("--bounding-set=" + less + more);
    options.add("--inh-caps=" + less);
  }

  private static Set<Long> groups(@Nullable ObjectNode pod) {
    Set<Long> groups = new TreeSet<>();
    ArrayNode listed = Json.arrayAt(pod, "supplementalGroups");
    if (listed != null) {
      listed.forEach(group -> groups.add(group.longValue()));
    }
    Long own = Json.longInteger(pod, "fsGroup");
    if (own != null) {
      groups.add(own);
    }
    return groups;
  }

  private static List<String> names(@Nullable ObjectNode capabilities, String member) {
    ArrayNode listed = Json.arrayAt(capabilities, member);
    List<String> names = new ArrayList<>();
    if (listed != null) {
      for (JsonNode name : listed) {
        names.add(Identity.plain(name.stringValue("")));
      }
    }
    return names;
  }
}
