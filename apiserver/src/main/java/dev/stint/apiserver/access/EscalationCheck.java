package dev.stint.apiserver.access;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Prevents privilege escalation. Users may put into a role only what they may do themselves, and
 * may bind only a role whose rules they have; anything else requires the verb {@code escalate} on
 * roles, or {@code bind} on the role.
 */
public final class EscalationCheck {
  private final Authorizer authorizer;

  public EscalationCheck(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /**
   * Checks a role or binding that is about to be written, in its final form; other kinds pass.
   *
   * @param before the stored object; null for a new one
   * @throws ClusterException {@code FORBIDDEN} if the user grants permissions that they lack,
   *     {@code NOT_FOUND} if a binding refers to a role that does not exist and the user may not
   *     bind any role
   */
  public void check(User user, @Nullable KubeObject before, KubeObject after) {
    Kind kind = after.kind();
    if (kind.equals(Kind.ROLE) || kind.equals(Kind.CLUSTER_ROLE)) {
      role(user, before, after);
    } else if (kind.equals(Kind.ROLE_BINDING) || kind.equals(Kind.CLUSTER_ROLE_BINDING)) {
      binding(user, before, after);
    }
  }

  private void role(User user, @Nullable KubeObject before, KubeObject after) {
    if (same(before, after, "rules") && same(before, after, "aggregationRule")) {
      return;
    }
    if (may(user, "escalate", after.kind(), after.namespace(), after.name())) {
      return;
    }
    boolean aggregates = Json.objectAt(after.tree(), "aggregationRule") != null;
    if (aggregates && !same(before, after, "aggregationRule")) {
      held(user, PolicyRule.EVERYTHING, after);
    }
    held(user, PolicyRule.listOf(after.tree()), after);
  }

  private void binding(User user, @Nullable KubeObject before, KubeObject after) {
    if (same(before, after, "roleRef") && same(before, after, "subjects")) {
      return;
    }
    JsonNode roleRef = after.tree().get("roleRef");
    boolean local = RbacDocuments.text(roleRef, "kind").equals(Kind.ROLE.kind());
    Kind kind = local ? Kind.ROLE : Kind.CLUSTER_ROLE;
    String name = RbacDocuments.text(roleRef, "name");
    if (may(user, "bind", kind, after.namespace(), name)) {
      return;
    }
    List<PolicyRule> granted = authorizer.rulesOf(roleRef, after.namespace());
    if (granted == null) {
      throw new ClusterException(
          ClusterException.Reason.NOT_FOUND,
          "%s.%s \"%s\" not found".formatted(kind.plural(), kind.group(), name));
    }
    held(user, granted, after);
  }

  private boolean may(User user, String verb, Kind kind, String namespace, String name) {
    return authorizer
        .of(
            new RequestAttributes(
                user, verb, kind.group(), kind.version(), kind.plural(), "", namespace, name, null))
        .allowed();
  }

  private void held(User user, List<PolicyRule> granted, KubeObject object) {
    List<PolicyRule> own = authorizer.rulesOf(user, object.namespace());
    List<PolicyRule> missing =
        granted.stream().filter(rule -> !PolicyRule.cover(own, rule)).toList();
    if (!missing.isEmpty()) {
      Kind kind = object.kind();
      throw new RequestAttributes(
              user, "", kind.group(), kind.version(), kind.plural(), "", "", object.name(), null)
          .forbidden(
              "user \"%s\" (groups=[%s]) is attempting to grant RBAC permissions not currently held: %s"
                  .formatted(
                      user.name(),
                      user.groups().stream()
                          .map(group -> "\"" + group + "\"")
                          .collect(Collectors.joining(" ")),
                      missing.stream()
                          .map(PolicyRule::toString)
                          .collect(Collectors.joining(", "))));
    }
  }

  private static boolean same(@Nullable KubeObject before, KubeObject after, String member) {
    return before != null && Objects.equals(before.tree().get(member), after.tree().get(member));
  }
}
