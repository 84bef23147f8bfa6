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
  private record Compiled(long revision, RbacSnapshot grants) {}

  private static final Compiled NOTHING = new Compiled(-1, RbacSnapshot.EMPTY);

  private final RbacSource rules;
  private volatile Compiled compiled = NOTHING;

  public Authorizer(RbacSource rules) {
    this.rules = rules;
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
    return grants()
        .of(request.user(), namespace)
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
    Stream<PolicyRule> granted =
        grants().of(user, namespace).map(Grant::rules).flatMap(List::stream);
    return user.groups().contains(Pki.MASTERS)
        ? PolicyRule.EVERYTHING
        : granted.distinct().toList();
  }

  /**
   * Returns the rules of the role that a binding in a namespace refers to; null if the role does
   * not exist.
   */
  @Nullable List<PolicyRule> rulesOf(@Nullable JsonNode roleRef, String namespace) {
    return grants().rulesOf(roleRef, namespace);
  }

  /**
   * Returns the grants that are in force, with all changes that were made before the call. The
   * revision is read first, so that the next request sees changes made meanwhile.
   */
  private RbacSnapshot grants() {
    long revision = rules.revision();
    Compiled known = compiled;
    return known.revision >= revision ? known.grants : renewed(revision);
  }

  /** One thread reads the changes for all that need them. */
  private synchronized RbacSnapshot renewed(long needed) {
    Compiled known = compiled;
    if (known.revision < needed) {
      long revision = rules.revision();
      known = new Compiled(revision, known.grants.next(rules));
      compiled = known;
    }
    return known.grants;
  }

  private static boolean asksForHealth(RequestAttributes request) {
    String path = request.nonResourcePath();
    return path != null
        && (request.verb().equals("get") || request.verb().equals("head"))
        && HealthPath.matches(path);
  }
}
