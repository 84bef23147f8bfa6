package dev.stint.apiserver.audit;

import dev.stint.apiserver.access.RequestAttributes;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One rule of an audit policy. An empty list matches everything.
 *
 * @param omitManagedFields null if the policy decides
 */
record AuditRule(
    AuditLevel level,
    List<String> users,
    List<String> userGroups,
    List<String> verbs,
    List<Resources> resources,
    List<String> namespaces,
    List<String> nonResourceUrls,
    Set<AuditStage> omitStages,
    @Nullable Boolean omitManagedFields) {

  /**
   * Resources of one API group.
   *
   * @param group "" for the core group
   * @param resources such as {@code pods} or {@code pods/log}; {@code *} stands for all resources,
   *     and beside a slash for all resources or subresources; all if empty
   * @param names of objects; all if empty
   */
  record Resources(String group, List<String> resources, List<String> names) {
    private boolean matches(RequestAttributes request) {
      return group.equals(request.group())
          && (resources.isEmpty()
              || (names.isEmpty() || names.contains(request.name()))
                  && resources.stream().anyMatch(one -> matches(one, request)));
    }

    private static boolean matches(String wanted, RequestAttributes request) {
      String subresource = request.subresource();
      return wanted.equals("*")
          || wanted.equals(request.fullResource())
          || !subresource.isEmpty() && wanted.equals("*/" + subresource)
          || wanted.equals(request.resource() + "/*");
    }
  }

  /**
   * True if the rule applies to a request. A rule for users or groups does not apply to a request
   * whose user is unknown.
   */
  boolean matches(RequestAttributes request) {
    String user = request.user().name();
    return (users.isEmpty() || !user.isEmpty() && users.contains(user))
        && (userGroups.isEmpty() || userGroups.stream().anyMatch(request.user().groups()::contains))
        && (verbs.isEmpty() || verbs.contains(request.verb()))
        && matchesTarget(request);
  }

  private boolean matchesTarget(RequestAttributes request) {
    String path = request.nonResourcePath();
    if (!namespaces.isEmpty() || !resources.isEmpty()) {
      return path == null
          && (namespaces.isEmpty() || namespaces.contains(request.namespace()))
          && (resources.isEmpty() || resources.stream().anyMatch(one -> one.matches(request)));
    }
    return nonResourceUrls.isEmpty()
        || path != null && nonResourceUrls.stream().anyMatch(one -> matchesPath(one, path));
  }

  private static boolean matchesPath(String wanted, String path) {
    return wanted.endsWith("*")
        ? path.startsWith(wanted.substring(0, wanted.length() - 1))
        : wanted.equals(path);
  }
}
