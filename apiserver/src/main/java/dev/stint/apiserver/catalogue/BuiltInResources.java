package dev.stint.apiserver.catalogue;

import dev.stint.apiserver.access.AccessReviews;
import dev.stint.apiserver.catalogue.ApiResource.Connection;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.apiserver.selector.SelectableFields;
import dev.stint.apiserver.strategy.CheckedStrategy;
import dev.stint.apiserver.strategy.CronJobStrategy;
import dev.stint.apiserver.strategy.DefinitionStrategy;
import dev.stint.apiserver.strategy.EventStrategy;
import dev.stint.apiserver.strategy.FlowControlStrategy;
import dev.stint.apiserver.strategy.JobStrategy;
import dev.stint.apiserver.strategy.LimitRangeStrategy;
import dev.stint.apiserver.strategy.NamespaceStrategy;
import dev.stint.apiserver.strategy.PodStrategy;
import dev.stint.apiserver.strategy.RbacStrategy;
import dev.stint.apiserver.strategy.ResourceQuotaStrategy;
import dev.stint.apiserver.table.Columns;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The resources of Kubernetes that every control plane serves, one entry for each. */
public final class BuiltInResources {
  private static final GroupVersion CORE = new GroupVersion("", "v1");
  private static final GroupVersion AUTHENTICATION =
      new GroupVersion("authentication.k8s.io", "v1");
  private static final GroupVersion POLICY = new GroupVersion("policy", "v1");

  private static final List<String> CREATE = List.of("create");
  private static final List<String> CONNECT = List.of("create", "get");

  private BuiltInResources() {}

  /**
   * Returns the catalogue of a control plane without custom resources.
   *
   * @param nodeName the node that pods are bound to when they are created; null for none
   * @param allowPrivileged true if pods may have privileged containers
   * @param definitions the rules for definitions of custom resources
   */
  public static ApiCatalogue catalogue(
      FeatureGates gates,
      @Nullable String nodeName,
      boolean allowPrivileged,
      DefinitionStrategy definitions) {
    return new ApiCatalogue(
        Stream.of(
                pods(gates, nodeName, allowPrivileged),
                jobs(gates, allowPrivileged),
                events(),
                core(),
                scheduling(gates),
                access(),
                KeptResources.all(),
                extensions(definitions),
                answered())
            .flatMap(List::stream)
            .toList());
  }

  private static List<ApiResource> pods(
      FeatureGates gates, @Nullable String nodeName, boolean allowPrivileged) {
    return List.of(
        ApiResource.of(new PodStrategy(gates, nodeName, allowPrivileged))
            .withShortNames("po")
            .inCategory("all")
            .withSubresources(
                subresource("attach", "PodAttachOptions", CONNECT, Connection.SESSION),
                subresource("binding", "Binding", CREATE, Connection.SHORT),
                new Subresource("eviction", POLICY, "Eviction", CREATE, Connection.SHORT),
                subresource("exec", "PodExecOptions", CONNECT, Connection.SESSION),
                subresource("log", "Pod", List.of("get"), Connection.STREAM))
            .withColumns(Columns.PODS)
            .withFields(SelectableFields.PODS));
  }

  private static List<ApiResource> jobs(FeatureGates gates, boolean allowPrivileged) {
    return List.of(
        ApiResource.of(new JobStrategy(gates, allowPrivileged))
            .inCategory("all")
            .withColumns(Columns.JOBS)
            .withFields(SelectableFields.JOBS),
        ApiResource.of(new CronJobStrategy(gates, allowPrivileged))
            .withShortNames("cj")
            .inCategory("all")
            .withColumns(Columns.CRON_JOBS));
  }

  /** Events, which two groups serve; they are stored in the form of the core group. */
  private static List<ApiResource> events() {
    ApiResource core =
        ApiResource.of(new EventStrategy(false)).withShortNames("ev").withColumns(Columns.EVENTS);
    return List.of(
        core.withFields(SelectableFields.EVENTS),
        ApiResource.of(new EventStrategy(true))
            .withShortNames("ev")
            .shownAs(Kind.EVENTS_EVENT)
            .withColumns(Columns.EVENTS)
            .withFields(SelectableFields.SHOWN_EVENTS));
  }

  private static List<ApiResource> core() {
    return List.of(
        ApiResource.of(new CheckedStrategy.OfConfigMap())
            .withShortNames("cm")
            .withColumns(Columns.CONFIG_MAPS),
        ApiResource.of(new CheckedStrategy.OfSecret())
            .withColumns(Columns.SECRETS)
            .withFields(SelectableFields.SECRETS),
        ApiResource.of(new NamespaceStrategy())
            .withShortNames("ns")
            .without("deletecollection")
            .withSubresources(
                subresource("finalize", "Namespace", List.of("update"), Connection.SHORT))
            .withColumns(Columns.NAMESPACES)
            .withFields(SelectableFields.NAMESPACES),
        ApiResource.of(new CheckedStrategy.OfServiceAccount())
            .withShortNames("sa")
            .withSubresources(
                new Subresource("token", AUTHENTICATION, "TokenRequest", CREATE, Connection.SHORT))
            .withColumns(Columns.SERVICE_ACCOUNTS),
        ApiResource.of(new LimitRangeStrategy()).withShortNames("limits"),
        ApiResource.of(new ResourceQuotaStrategy())
            .withShortNames("quota")
            .withColumns(Columns.RESOURCE_QUOTAS));
  }

  private static List<ApiResource> scheduling(FeatureGates gates) {
    return List.of(
        ApiResource.of(new CheckedStrategy.OfNode())
            .withShortNames("no")
            .withColumns(Columns.NODES)
            .withFields(SelectableFields.NODES),
        ApiResource.of(new CheckedStrategy.OfLease(gates)).withColumns(Columns.LEASES),
        ApiResource.of(new CheckedStrategy.OfPriorityClass())
            .withShortNames("pc")
            .withColumns(Columns.PRIORITY_CLASSES));
  }

  /** Returns the resources that say who may do what, and who waits for whom. */
  private static List<ApiResource> access() {
    return List.of(
        ApiResource.of(RbacStrategy.ofRoles()),
        ApiResource.of(RbacStrategy.ofClusterRoles()),
        ApiResource.of(RbacStrategy.ofRoleBindings()).withColumns(Columns.BINDINGS),
        ApiResource.of(RbacStrategy.ofClusterRoleBindings()).withColumns(Columns.BINDINGS),
        ApiResource.of(FlowControlStrategy.ofFlowSchemas()).withColumns(Columns.FLOW_SCHEMAS),
        ApiResource.of(FlowControlStrategy.ofPriorityLevels())
            .withColumns(Columns.PRIORITY_LEVELS));
  }

  /** Returns the resource that makes others. */
  private static List<ApiResource> extensions(DefinitionStrategy definitions) {
    return List.of(
        ApiResource.of(definitions)
            .withShortNames("crd", "crds")
            .inCategory("api-extensions")
            .withCustomType(CustomType.ofDefinitions()));
  }

  private static List<ApiResource> answered() {
    Kind binding = new Kind("", "v1", "Binding", "bindings", true);
    return Stream.concat(Stream.of(binding), AccessReviews.KINDS.stream())
        .map(ApiResource::answered)
        .toList();
  }

  private static Subresource subresource(
      String name, String kind, List<String> verbs, Connection connection) {
    return new Subresource(name, CORE, kind, verbs, connection);
  }
}
