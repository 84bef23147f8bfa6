package dev.stint.model;

import dev.stint.model.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A kind of Kubernetes object and how it is addressed.
 *
 * @param group the API group, "" for the core group
 * @param version the API version, such as "v1"
 * @param kind the name in documents, such as "Job"
 * @param plural the name in URLs and messages, such as "jobs"
 * @param namespaced whether objects live in a namespace
 */
public record Kind(String group, String version, String kind, String plural, boolean namespaced) {
  public static final Kind JOB = new Kind("batch", "v1", "Job", "jobs", true);
  public static final Kind CRON_JOB = new Kind("batch", "v1", "CronJob", "cronjobs", true);
  public static final Kind POD = new Kind("", "v1", "Pod", "pods", true);
  public static final Kind EVENT = new Kind("", "v1", "Event", "events", true);
  public static final Kind CONFIG_MAP = new Kind("", "v1", "ConfigMap", "configmaps", true);
  public static final Kind SECRET = new Kind("", "v1", "Secret", "secrets", true);
  public static final Kind NAMESPACE = new Kind("", "v1", "Namespace", "namespaces", false);

  /** {@link #EVENT} as another group presents it; not stored separately. */
  public static final Kind EVENTS_EVENT = new Kind("events.k8s.io", "v1", "Event", "events", true);

  public static final Kind SERVICE_ACCOUNT =
      new Kind("", "v1", "ServiceAccount", "serviceaccounts", true);
  public static final Kind NODE = new Kind("", "v1", "Node", "nodes", false);
  public static final Kind LEASE = new Kind("coordination.k8s.io", "v1", "Lease", "leases", true);
  public static final Kind PRIORITY_CLASS =
      new Kind("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", false);
  public static final Kind LIMIT_RANGE = new Kind("", "v1", "LimitRange", "limitranges", true);
  public static final Kind RESOURCE_QUOTA =
      new Kind("", "v1", "ResourceQuota", "resourcequotas", true);
  public static final Kind ROLE = rbac("Role", "roles", true);
  public static final Kind ROLE_BINDING = rbac("RoleBinding", "rolebindings", true);
  public static final Kind CLUSTER_ROLE = rbac("ClusterRole", "clusterroles", false);
  public static final Kind CLUSTER_ROLE_BINDING =
      rbac("ClusterRoleBinding", "clusterrolebindings", false);

  public static final Kind FLOW_SCHEMA = flowControl("FlowSchema", "flowschemas");
  public static final Kind PRIORITY_LEVEL =
      flowControl("PriorityLevelConfiguration", "prioritylevelconfigurations");

  /** The kind that defines others; like those, it is known to the API server only. */
  public static final Kind CUSTOM_RESOURCE_DEFINITION =
      new Kind(
          "apiextensions.k8s.io",
          "v1",
          "CustomResourceDefinition",
          "customresourcedefinitions",
          false);

  private static final List<Kind> ALL =
      List.of(
          JOB,
          CRON_JOB,
          POD,
          EVENT,
          CONFIG_MAP,
          SECRET,
          NAMESPACE,
          SERVICE_ACCOUNT,
          NODE,
          LEASE,
          PRIORITY_CLASS,
          LIMIT_RANGE,
          RESOURCE_QUOTA,
          ROLE,
          ROLE_BINDING,
          CLUSTER_ROLE,
          CLUSTER_ROLE_BINDING,
          FLOW_SCHEMA,
          PRIORITY_LEVEL);

  private static Kind rbac(String kind, String plural, boolean namespaced) {
    return new Kind("rbac.authorization.k8s.io", "v1", kind, plural, namespaced);
  }

  private static Kind flowControl(String kind, String plural) {
    return new Kind("flowcontrol.apiserver.k8s.io", "v1", kind, plural, false);
  }

  /** The kinds whose schema is known, but which no code names: they are only kept. */
  private static final class Kept {
    static final Map<String, Kind> BY_NAME = new LinkedHashMap<>();

    static {
      Schema.addresses().forEach(address -> BY_NAME.put(address.kind(), of(address)));
    }

    private static Kind of(Schema.Address address) {
      int space = address.kind().indexOf(' ');
      int slash = address.kind().indexOf('/');
      return new Kind(
          slash < 0 ? "" : address.kind().substring(0, slash),
          address.kind().substring(slash + 1, space),
          address.kind().substring(space + 1),
          address.plural(),
          address.namespaced());
    }
  }

  /** Returns the kinds that this program works with. */
  public static List<Kind> all() {
    return ALL;
  }

  /** Returns the kinds that this program only keeps, for other programs. */
  public static List<Kind> kept() {
    return List.copyOf(Kept.BY_NAME.values());
  }

  /** Returns the kind of a document by its fields, such as ("batch/v1", "Job"). */
  public static Optional<Kind> of(String apiVersion, String kind) {
    for (Kind each : ALL) {
      if (each.kind.equals(kind) && each.apiVersion().equals(apiVersion)) {
        return Optional.of(each);
      }
    }
    return Optional.ofNullable(Kept.BY_NAME.get(apiVersion + " " + kind));
  }

  /** Compares fast, for the same reason as {@link #hashCode}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof Kind that
            && kind.equals(that.kind)
            && group.equals(that.group)
            && version.equals(that.version)
            && plural.equals(that.plural)
            && namespaced == that.namespaced;
  }

  /**
   * Returns a fast hash code: every request needs it, and a record's own is slow, at its first call
   * in particular.
   */
  @Override
  public int hashCode() {
    return 31 * group.hashCode() + kind.hashCode();
  }

  /** Returns the {@code apiVersion} of documents, such as "batch/v1" or "v1". */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
