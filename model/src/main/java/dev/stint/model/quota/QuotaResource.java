package dev.stint.model.quota;

import dev.stint.model.Kind;
import java.util.List;
import java.util.Set;

/** The names of what quotas limit. */
final class QuotaResource {
  static final String COUNT = "count/";
  static final String REQUESTS = "requests.";
  static final String LIMITS = "limits.";
  static final String HUGE_PAGES = "hugepages-";
  static final String PODS = "pods";

  /** Resources of containers that have names of their own in quotas, for limits too. */
  static final Set<String> COMPUTE = Set.of("cpu", "memory", "ephemeral-storage");

  /** Counted objects that have an older name in addition to that of {@link #COUNT}. */
  static final Set<String> COUNTED =
      Set.of(
          "configmaps",
          "persistentvolumeclaims",
          "replicationcontrollers",
          "resourcequotas",
          "secrets",
          "services");

  private static final Set<String> OF_SERVICES =
      Set.of("services.loadbalancers", "services.nodeports");
  private static final String STORAGE = "requests.storage";

  /** The resources, besides their number, that a quota for pods of a scope may limit. */
  private static final Set<String> SCOPED =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private QuotaResource() {}

  /** True if a name is one of Kubernetes' own. */
  static boolean isStandard(String name) {
    return isCountOfObjects(name)
        || COMPUTE.contains(name)
        || name.equals(STORAGE)
        || name.startsWith(HUGE_PAGES)
        || name.startsWith(REQUESTS) && isComputeOrHugePages(name.substring(REQUESTS.length()))
        || name.startsWith(LIMITS) && COMPUTE.contains(name.substring(LIMITS.length()));
  }

  private static boolean isComputeOrHugePages(String name) {
    return COMPUTE.contains(name) || name.startsWith(HUGE_PAGES);
  }

  /** True if only whole numbers make sense. */
  static boolean isInteger(String name) {
    return isCountOfObjects(name) || isExtended(name);
  }

  private static boolean isCountOfObjects(String name) {
    return name.equals(PODS) || COUNTED.contains(name) || OF_SERVICES.contains(name);
  }

  /** True if pods may use it, not counting them as objects. */
  static boolean isOfPods(String name) {
    return name.equals(PODS)
        || COMPUTE.contains(name)
        || name.startsWith(REQUESTS)
        || name.startsWith(LIMITS)
        || name.startsWith(HUGE_PAGES);
  }

  /** True for extended resources, such as GPUs. */
  static boolean isExtended(String name) {
    return name.contains("/") && !name.contains("kubernetes.io/") && !name.startsWith(REQUESTS);
  }

  /** True if a quota of this scope may limit a standard resource. */
  static boolean isOfScope(String scope, String name) {
    return switch (scope) {
      case QuotaScope.BEST_EFFORT -> name.equals(PODS);
      case QuotaScope.VOLUME_ATTRIBUTES_CLASS ->
          name.equals("persistentvolumeclaims") || name.equals(STORAGE);
      default -> name.equals(PODS) || SCOPED.contains(name);
    };
  }

  /**
   * True if usage is known: quotas for anything else limit nothing.
   *
   * @param kinds the kinds that are served
   */
  static boolean isTracked(String name, List<Kind> kinds) {
    if (name.startsWith(COUNT)) {
      return kinds.stream().anyMatch(kind -> name.equals(count(kind)));
    }
    return isStandard(name) && !isExtended(name) || name.startsWith(REQUESTS) && name.contains("/");
  }

  /** Returns the name of the count of a kind, such as {@code count/jobs.batch}. */
  static String count(Kind kind) {
    return COUNT + (kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group());
  }
}
