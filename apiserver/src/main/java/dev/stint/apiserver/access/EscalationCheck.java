package dev.stint.apiserver.access;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prevents privilege escalation. Users may write a role only if they have all of its rules, and may
 * bind only a role whose rules they have; anything else requires the verb {@code escalate} on
 * roles, or {@code bind} on the role.
 *
 * <p>That holds for every change, labels included: a label can add the rules of a role to another
 * role that aggregates it. Only what garbage collection and deletion write is free.
 */
public final class EscalationCheck {
  private static final List<String> BOOKKEEPING =
      List.of(
          "deletionGracePeriodSeconds",
          "deletionTimestamp",
          "finalizers",
          "generation",
          "managedFields",
          "ownerReferences",
          "resourceVersion");

  private final Authorizer authorizer;
  private final long mostLookups;

  public EscalationCheck(Authorizer authorizer) {
    this(authorizer, RuleCover.MOST_LOOKUPS);
  }

  /** Creates a check with another limit for the comparison of rules, for tests. */
  EscalationCheck(Authorizer authorizer, long mostLookups) {
    this.authorizer = authorizer;
    this.mostLookups = mostLookups;
  }

  /**
   * Checks a role or binding that is about to be written, in its final form; other kinds pass.
   *
   * @param request the request that writes it
   * @param before the stored object; null for a new one
   * @throws ClusterException {@code FORBIDDEN} if the user grants permissions that they lack,
   *     {@code INVALID} if there are too many to tell, {@code NOT_FOUND} if a binding refers to a
   *     role that does not exist and the user may not bind any role
   */
  public void check(RequestAttributes request, @Nullable KubeObject before, KubeObject after) {
    boolean role = isOneOf(after, Kind.ROLE, Kind.CLUSTER_ROLE);
    boolean binding = isOneOf(after, Kind.ROLE_BINDING, Kind.CLUSTER_ROLE_BINDING);
    if (!role && !binding || before != null && content(before).equals(content(after))) {
      return;
    }
    if (role) {
      role(request, before, after);
    } else {
      binding(request.user(), after);
    }
  }

  private static boolean isOneOf(KubeObject object, Kind... kinds) {
    return Stream.of(kinds)
        .anyMatch(kind ->
            object.kindName().equals(kind.kind()) && object.apiVersion().equals(kind.apiVersion()));
  }

  /** A creation by POST names no role, so that a right to escalate named roles does not apply. */
  private void role(RequestAttributes request, @Nullable KubeObject before, KubeObject after) {
    User user = request.user();
    if (may(user, "escalate", after.kind(), after.namespace(), request.name())) {
      return;
    }
    requireRights(user, PolicyRule.listOf(after.tree()), after);
    if (before != null && aggregates(before) || aggregates(after)) {
      requireRights(user, PolicyRule.EVERYTHING, after);
    }
  }

  private static boolean aggregates(KubeObject role) {
    return Json.objectAt(role.tree(), "aggregationRule") != null;
  }

  private void binding(User user, KubeObject after) {
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
    requireRights(user, granted, after);
  }

  private boolean may(User user, String verb, Kind kind, String namespace, String name) {
    return authorizer
        .of(
            new RequestAttributes(
                user, verb, kind.group(), kind.version(), kind.plural(), "", namespace, name, null))
        .allowed();
  }

  private void requireRights(User user, List<PolicyRule> granted, KubeObject object) {
    List<PolicyRule> missing = missing(user, granted, object);
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

  private List<PolicyRule> missing(User user, List<PolicyRule> granted, KubeObject object) {
    RuleCover own = new RuleCover(authorizer.rulesOf(user, object.namespace()), mostLookups);
    try {
      return granted.stream().filter(rule -> !own.covers(rule)).toList();
    } catch (RuleCover.TooManyWordsException tooMany) {
      throw new ClusterException(
          ClusterException.Reason.INVALID,
          "%s.%s \"%s\" is invalid: the rules that it grants and those of user \"%s\" have too many words to compare them; use fewer, or \"*\""
              .formatted(
                  object.kind().plural(), object.kind().group(), object.name(), user.name()));
    }
  }

  /** Returns an object without what garbage collection, deletion and the server write. */
  private static ObjectNode content(KubeObject object) {
    ObjectNode content = object.tree().deepCopy();
    ObjectNode metadata = Json.objectAt(content, "metadata");
    if (metadata != null) {
      metadata.remove(BOOKKEEPING);
    }
    return content;
  }
}
