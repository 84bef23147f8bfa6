package dev.stint.apiserver.discovery;

import dev.stint.apiserver.discovery.ApiResource.Subresource;
import dev.stint.model.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The catalogue of all resources, from which discovery and OpenAPI documents are made. */
public final class ApiResources {
  private static final GroupVersion CORE = new GroupVersion("", "v1");
  private static final GroupVersion AUTHENTICATION =
      new GroupVersion("authentication.k8s.io", "v1");
  private static final GroupVersion AUTHORIZATION = new GroupVersion("authorization.k8s.io", "v1");
  private static final GroupVersion POLICY = new GroupVersion("policy", "v1");

  private static final List<String> CREATE = List.of("create");
  private static final List<String> STATUS = List.of("get", "patch", "update");
  private static final List<String> ALL_VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private static final Map<Kind, String> SHORT_NAMES =
      Map.of(
          Kind.POD, "po",
          Kind.NAMESPACE, "ns",
          Kind.CONFIG_MAP, "cm",
          Kind.SERVICE_ACCOUNT, "sa",
          Kind.EVENT, "ev",
          Kind.EVENTS_EVENT, "ev",
          Kind.NODE, "no",
          Kind.CRON_JOB, "cj",
          Kind.PRIORITY_CLASS, "pc");

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
          "coordination.k8s.io");

  private static final List<ApiResource> ALL =
      Stream.of(
              Kind.all().stream().map(ApiResources::stored),
              Stream.of(stored(Kind.EVENTS_EVENT)),
              unstored())
          .flatMap(Function.identity())
          .sorted(Comparator.comparingInt(ApiResources::place).thenComparing(ApiResource::name))
          .toList();

  private ApiResources() {}

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

  /** Returns the resource of that name. */
  public static Optional<ApiResource> find(GroupVersion groupVersion, String name) {
    return of(groupVersion).stream().filter(r -> r.name().equals(name)).findFirst();
  }

  private static ApiResource stored(Kind kind) {
    String shortName = SHORT_NAMES.get(kind);
    return new ApiResource(
        new GroupVersion(kind.group(), kind.version()),
        kind.plural(),
        kind.kind(),
        kind.namespaced(),
        kind.equals(Kind.NAMESPACE)
            ? ALL_VERBS.stream().filter(verb -> !verb.equals("deletecollection")).toList()
            : ALL_VERBS,
        shortName == null ? List.of() : List.of(shortName),
        IN_ALL.contains(kind) ? List.of("all") : List.of(),
        subresources(kind));
  }

  /** Returns the resources whose objects are answered and never stored. */
  private static Stream<ApiResource> unstored() {
    return Stream.of(
        created(CORE, "bindings", "Binding", true),
        created(AUTHENTICATION, "selfsubjectreviews", "SelfSubjectReview", false),
        created(AUTHENTICATION, "tokenreviews", "TokenReview", false),
        created(AUTHORIZATION, "localsubjectaccessreviews", "LocalSubjectAccessReview", true),
        created(AUTHORIZATION, "selfsubjectaccessreviews", "SelfSubjectAccessReview", false),
        created(AUTHORIZATION, "selfsubjectrulesreviews", "SelfSubjectRulesReview", false),
        created(AUTHORIZATION, "subjectaccessreviews", "SubjectAccessReview", false));
  }

  private static ApiResource created(
      GroupVersion groupVersion, String name, String kind, boolean namespaced) {
    return new ApiResource(
        groupVersion, name, kind, namespaced, CREATE, List.of(), List.of(), List.of());
  }

  private static List<Subresource> subresources(Kind kind) {
    List<Subresource> subresources = new ArrayList<>();
    GroupVersion own = new GroupVersion(kind.group(), kind.version());
    if (kind.equals(Kind.POD)) {
      subresources.add(
          new Subresource("attach", CORE, "PodAttachOptions", List.of("create", "get")));
      subresources.add(new Subresource("binding", CORE, "Binding", CREATE));
      subresources.add(new Subresource("eviction", POLICY, "Eviction", CREATE));
      subresources.add(new Subresource("exec", CORE, "PodExecOptions", List.of("create", "get")));
      subresources.add(new Subresource("log", CORE, "Pod", List.of("get")));
    }
    if (kind.equals(Kind.NAMESPACE)) {
      subresources.add(new Subresource("finalize", CORE, "Namespace", List.of("update")));
    }
    if (List.of(Kind.POD, Kind.JOB, Kind.CRON_JOB, Kind.NAMESPACE, Kind.NODE).contains(kind)) {
      subresources.add(new Subresource("status", own, kind.kind(), STATUS));
    }
    if (kind.equals(Kind.SERVICE_ACCOUNT)) {
      subresources.add(new Subresource("token", AUTHENTICATION, "TokenRequest", CREATE));
    }
    return List.copyOf(subresources);
  }
}
