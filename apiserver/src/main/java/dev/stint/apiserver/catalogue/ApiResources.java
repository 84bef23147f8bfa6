package dev.stint.apiserver.catalogue;

import dev.stint.apiserver.access.AccessReviews;
import dev.stint.apiserver.catalogue.ApiResource.Connection;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.model.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The catalogue of all resources: the one place that says which verbs and subresources a resource
 * has. Routing, authorization, metrics, discovery and OpenAPI ask it.
 */
public final class ApiResources {
  private static final GroupVersion CORE = new GroupVersion("", "v1");
  private static final GroupVersion AUTHENTICATION =
      new GroupVersion("authentication.k8s.io", "v1");
  private static final GroupVersion POLICY = new GroupVersion("policy", "v1");

  private static final List<String> CREATE = List.of("create");
  private static final List<String> CONNECT = List.of("create", "get");
  private static final List<String> STATUS = List.of("get", "patch", "update");
  private static final List<String> ALL_VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private static final Map<Kind, String> SHORT_NAMES =
      Map.ofEntries(
          Map.entry(Kind.POD, "po"),
          Map.entry(Kind.NAMESPACE, "ns"),
          Map.entry(Kind.CONFIG_MAP, "cm"),
          Map.entry(Kind.SERVICE_ACCOUNT, "sa"),
          Map.entry(Kind.EVENT, "ev"),
          Map.entry(Kind.EVENTS_EVENT, "ev"),
          Map.entry(Kind.NODE, "no"),
          Map.entry(Kind.CRON_JOB, "cj"),
          Map.entry(Kind.PRIORITY_CLASS, "pc"),
          Map.entry(Kind.LIMIT_RANGE, "limits"),
          Map.entry(Kind.RESOURCE_QUOTA, "quota"));

  private static final Set<Kind> WITH_STATUS =
      Set.of(
          Kind.POD,
          Kind.JOB,
          Kind.CRON_JOB,
          Kind.NAMESPACE,
          Kind.NODE,
          Kind.RESOURCE_QUOTA,
          Kind.FLOW_SCHEMA,
          Kind.PRIORITY_LEVEL);

  private static final List<Kind> IN_ALL = List.of(Kind.POD, Kind.JOB, Kind.CRON_JOB);

  /** The groups in the order of Kubernetes, in which kubectl prints them; others come last. */
  private static final List<String> GROUPS =
      List.of(
          "",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "batch",
          "rbac.authorization.k8s.io",
          "scheduling.k8s.io",
          "coordination.k8s.io",
          "flowcontrol.apiserver.k8s.io");

  private static final List<ApiResource> ALL =
      Stream.of(
              Kind.all().stream().map(ApiResources::stored),
              Stream.of(stored(Kind.EVENTS_EVENT)),
              unstored())
          .flatMap(Function.identity())
          .sorted(Comparator.comparingInt(ApiResources::place).thenComparing(ApiResource::name))
          .toList();

  private static final Map<String, List<ApiResource>> BY_NAME =
      ALL.stream().collect(Collectors.groupingBy(ApiResource::name));

  private static final ApiResource NAMESPACES = stored(Kind.NAMESPACE);

  private ApiResources() {}

  /** Returns the resource of namespaces, whose paths contain those of all namespaced resources. */
  public static ApiResource namespaces() {
    return NAMESPACES;
  }

  /** Returns every resource. */
  public static List<ApiResource> all() {
    return ALL;
  }

  private static int place(ApiResource resource) {
    int place = GROUPS.indexOf(resource.groupVersion().group());
    return place < 0 ? GROUPS.size() : place;
  }

  /** Returns every group and version, the core group first. */
  public static List<GroupVersion> groupVersions() {
    return Stream.concat(Stream.of(CORE), ALL.stream().map(ApiResource::groupVersion))
        .distinct()
        .toList();
  }

  /** Returns the resources of one group and version; none if it is not served. */
  public static List<ApiResource> of(GroupVersion groupVersion) {
    return ALL.stream().filter(r -> r.groupVersion().equals(groupVersion)).toList();
  }

  /** True if resources of this group and version are served. */
  public static boolean hasGroupVersion(String group, String version) {
    return ALL.stream().anyMatch(resource -> resource.groupVersion().matches(group, version));
  }

  /** Returns the resource of that name; empty if there is none. */
  public static Optional<ApiResource> find(String group, String version, String name) {
    for (ApiResource resource : BY_NAME.getOrDefault(name, List.of())) {
      if (resource.groupVersion().matches(group, version)) {
        return Optional.of(resource);
      }
    }
    return Optional.empty();
  }

  /** Returns the kind as which the objects of a resource are stored; empty if they are not. */
  public static Optional<Kind> findStored(String group, String name) {
    for (ApiResource resource : BY_NAME.getOrDefault(name, List.of())) {
      if (resource.groupVersion().group().equals(group)) {
        return Optional.ofNullable(resource.stored());
      }
    }
    return Optional.empty();
  }

  private static ApiResource stored(Kind kind) {
    String shortName = SHORT_NAMES.get(kind);
    return new ApiResource(
        groupVersion(kind),
        kind.plural(),
        kind.kind(),
        kind.namespaced(),
        kind.equals(Kind.EVENTS_EVENT) ? Kind.EVENT : kind,
        kind.equals(Kind.NAMESPACE)
            ? ALL_VERBS.stream().filter(verb -> !verb.equals("deletecollection")).toList()
            : ALL_VERBS,
        shortName == null ? List.of() : List.of(shortName),
        IN_ALL.contains(kind) ? List.of("all") : List.of(),
        subresources(kind));
  }

  /** Returns the resources whose objects are answered and never stored. */
  private static Stream<ApiResource> unstored() {
    Kind binding = new Kind("", "v1", "Binding", "bindings", true);
    return Stream.concat(Stream.of(binding), AccessReviews.KINDS.stream())
        .map(kind ->
            new ApiResource(
                groupVersion(kind),
                kind.plural(),
                kind.kind(),
                kind.namespaced(),
                null,
                CREATE,
                List.of(),
                List.of(),
                List.of()));
  }

  private static GroupVersion groupVersion(Kind kind) {
    return new GroupVersion(kind.group(), kind.version());
  }

  /** Returns the subresources of a kind, in alphabetical order. */
  private static List<Subresource> subresources(Kind kind) {
    List<Subresource> subresources = new ArrayList<>();
    if (kind.equals(Kind.POD)) {
      subresources.add(
          new Subresource("attach", CORE, "PodAttachOptions", CONNECT, Connection.SESSION));
      subresources.add(new Subresource("binding", CORE, "Binding", CREATE, Connection.SHORT));
      subresources.add(new Subresource("eviction", POLICY, "Eviction", CREATE, Connection.SHORT));
      subresources.add(
          new Subresource("exec", CORE, "PodExecOptions", CONNECT, Connection.SESSION));
      subresources.add(new Subresource("log", CORE, "Pod", List.of("get"), Connection.STREAM));
    }
    if (kind.equals(Kind.NAMESPACE)) {
      subresources.add(
          new Subresource("finalize", CORE, "Namespace", List.of("update"), Connection.SHORT));
    }
    if (WITH_STATUS.contains(kind)) {
      subresources.add(
          new Subresource("status", groupVersion(kind), kind.kind(), STATUS, Connection.SHORT));
    }
    if (kind.equals(Kind.SERVICE_ACCOUNT)) {
      subresources.add(
          new Subresource("token", AUTHENTICATION, "TokenRequest", CREATE, Connection.SHORT));
    }
    return List.copyOf(subresources);
  }
}
