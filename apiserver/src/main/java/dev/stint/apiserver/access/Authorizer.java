package dev.stint.apiserver.access;

import dev.stint.apiserver.access.RbacSnapshot.Grant;
import dev.stint.apiserver.access.pki.Pki;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Authorizes requests by roles and bindings (Kubernetes' RBAC). Rules only allow: what no rule
 * allows is refused.
 *
 * <p>Members of {@link Pki#MASTERS} may do everything, and every user may read the health checks.
 */
public final class Authorizer {
  private final RbacSnapshots snapshots;

  public Authorizer(RbacSource rules) {
    this.snapshots = new RbacSnapshots(rules);
  }

  /** Decides whether a request is allowed. */
  public AccessDecision of(RequestAttributes request) {
    if (request.user().groups().contains(Pki.MASTERS)) {
      return AccessDecision.allowedBy("group " + Pki.MASTERS);
    }
    if (asksForHealth(request)) {
      return AccessDecision.allowedBy("everyone may request " + request.nonResourcePath());
    }
    String namespace = request.nonResourcePath() == null ? request.namespace() : "";
    return grants(request.user(), namespace)
        .filter(grant -> grant.rules().stream().anyMatch(rule -> rule.allows(request)))
        .findFirst()
        .map(grant -> AccessDecision.allowedBy("RBAC: allowed by " + grant.source()))
        .orElse(AccessDecision.NOTHING_ALLOWS);
  }

  /**
   * Returns the rules of a user in a namespace.
   *
   * @param namespace "" for cluster-wide rules only
   */
  List<PolicyRule> rulesOf(User user, String namespace) {
    Stream<PolicyRule> granted = grants(user, namespace).map(Grant::rules).flatMap(List::stream);
    return user.groups().contains(Pki.MASTERS)
        ? PolicyRule.EVERYTHING
        : granted.distinct().toList();
  }

  /**
   * Returns the rules of the role that a binding in a namespace refers to; null if the role does
   * not exist.
   */
  @Nullable List<PolicyRule> rulesOf(@Nullable JsonNode roleRef, String namespace) {
    RbacRole.Key role = RbacRole.Key.of(roleRef, namespace);
    return snapshots.of(role.namespace()).rulesOf(role);
  }

  /**
   * Returns the grants of a user, everywhere and then in a namespace, which is not read if the
   * first ones are enough.
   *
   * @param namespace "" for those everywhere only
   */
  private Stream<Grant> grants(User user, String namespace) {
    RbacSnapshot everywhere = snapshots.of("");
    Stream<Grant> wide = everywhere.of(user, everywhere);
    return namespace.isEmpty()
        ? wide
        : Stream.concat(
            wide, Stream.of(namespace).flatMap(in -> snapshots.of(in).of(user, everywhere)));
  }

  private static boolean asksForHealth(RequestAttributes request) {
    String path = request.nonResourcePath();
    return path != null
        && (request.verb().equals("get") || request.verb().equals("head"))
        && HealthPath.matches(path);
  }
}
