package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The effective security context of a container: its own {@code securityContext} over the pod's.
 *
 * @param user null for the default, that of this program or of an image
 * @param group null for the user's own
 * @param groups additional groups: {@code supplementalGroups} and {@code fsGroup}
 * @param drop capabilities, or {@code all}, by their plain names
 * @param add capabilities that stay even if {@code all} are dropped
 */
public record SecurityContext(
    @Nullable Long user,
    @Nullable Long group,
    Set<Long> groups,
    List<String> drop,
    List<String> add,
    boolean noNewPrivileges,
    boolean readOnlyRoot) {
  public static final String ALL = "all";

  public static SecurityContext of(KubeObject pod, ObjectNode container) {
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

  /** Returns the group that owns a pod's volumes, or null. */
  public static @Nullable Long fsGroup(KubeObject pod) {
    return Json.longInteger(Json.objectAt(pod.spec(), "securityContext"), "fsGroup");
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
        names.add(plain(name.stringValue("")));
      }
    }
    return names;
  }

  /** Returns a capability's name as tools have it: {@code net_raw} for {@code CAP_NET_RAW}. */
  public static String plain(String capability) {
    String name = capability.toLowerCase(Locale.ROOT);
    return name.startsWith("cap_") ? name.substring(4) : name;
  }
}
