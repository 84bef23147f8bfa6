package dev.stint.apiserver.catalogue;

import dev.stint.model.Kind;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of the resources that one control plane serves: the one place that says what is
 * known of a kind. Routing, authorization, metrics, discovery, OpenAPI, writes, tables and
 * selectors ask it. Immutable; each control plane has its own.
 */
public final class ApiCatalogue {
  /** The catalogue of a server that serves no resources. */
  public static final ApiCatalogue EMPTY = new ApiCatalogue(List.of());

  private static final GroupVersion CORE = new GroupVersion("", "v1");

  /** The groups in the order of Kubernetes, in which kubectl prints them; others come last. */
  private static final Map<String, Integer> GROUPS =
      places(
          "",
          "apiregistration.k8s.io",
          "apps",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "networking.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "storage.k8s.io",
          "apiextensions.k8s.io",
          "scheduling.k8s.io",
          "coordination.k8s.io",
          "node.k8s.io",
          "discovery.k8s.io",
          "flowcontrol.apiserver.k8s.io");

  private final List<ApiResource> all;
  private final List<Kind> stored;
  private final List<GroupVersion> groupVersions;
  private final Map<String, List<ApiResource>> byName;
  private final Map<Kind, ApiResource> byKind = new HashMap<>();
  private final Map<String, Kind> byDocument = new HashMap<>();

  /**
   * @param resources in any order
   */
  public ApiCatalogue(List<ApiResource> resources) {
    List<ApiResource> known = ordered(resources);
    this.all = known.stream().filter(ApiResource::isServed).toList();
    this.stored =
        known.stream().map(ApiResource::stored).filter(Objects::nonNull).distinct().toList();
    this.groupVersions =
        Stream.concat(Stream.of(CORE), all.stream().map(ApiResource::groupVersion))
            .distinct()
            .toList();
    this.byName = all.stream().collect(Collectors.groupingBy(ApiResource::name));
    for (ApiResource resource : known) {
      byKind.put(resource.shown(), resource);
      byDocument.putIfAbsent(resource.groupVersion() + " " + resource.kind(), resource.shown());
    }
  }

  private static Map<String, Integer> places(String... groups) {
    Map<String, Integer> places = new HashMap<>();
    for (String group : groups) {
      places.put(group, places.size());
    }
    return places;
  }

  /** Returns resources by group, the preferred version first, and then by name. */
  private static List<ApiResource> ordered(List<ApiResource> resources) {
    return resources.stream().sorted(ApiCatalogue::compare).toList();
  }

  private static int compare(ApiResource one, ApiResource other) {
    int byPlace = Integer.compare(place(one.groupVersion()), place(other.groupVersion()));
    if (byPlace != 0) {
      return byPlace;
    }
    int byVersion = VersionPriority.FIRST.compare(one.groupVersion(), other.groupVersion());
    return byVersion != 0 ? byVersion : one.name().compareTo(other.name());
  }

  private static int place(GroupVersion groupVersion) {
    return GROUPS.getOrDefault(groupVersion.group(), GROUPS.size());
  }

  /** Returns a catalogue with more resources. */
  public ApiCatalogue with(List<ApiResource> more) {
    return new ApiCatalogue(Stream.concat(byKind.values().stream(), more.stream()).toList());
  }

  /** Returns every resource. */
  public List<ApiResource> all() {
    return all;
  }

  /** Returns the kinds as which objects are stored. */
  public List<Kind> storedKinds() {
    return stored;
  }

  /** Returns every group and version, the core group first. */
  public List<GroupVersion> groupVersions() {
    return groupVersions;
  }

  /** Returns the versions of each group, the preferred one first; the core group comes first. */
  public Map<String, List<GroupVersion>> groups() {
    return groupVersions.stream()
        .collect(
            Collectors.groupingBy(GroupVersion::group, LinkedHashMap::new, Collectors.toList()));
  }

  /** Returns the resources of one group and version; none if it is not served. */
  public List<ApiResource> of(GroupVersion groupVersion) {
    return all.stream().filter(r -> r.groupVersion().equals(groupVersion)).toList();
  }

  /** True if resources of this group and version are served. */
  public boolean hasGroupVersion(String group, String version) {
    return all.stream().anyMatch(resource -> resource.groupVersion().matches(group, version));
  }

  /** Returns the resource of that name; empty if there is none. */
  public Optional<ApiResource> find(String group, String version, String name) {
    for (ApiResource resource : byName.getOrDefault(name, List.of())) {
      if (resource.groupVersion().matches(group, version)) {
        return Optional.of(resource);
      }
    }
    return Optional.empty();
  }

  /** Returns the resource whose documents are of a kind; null if none is served. */
  public @Nullable ApiResource of(Kind kind) {
    return byKind.get(kind);
  }

  /** Returns the kind of a document by its fields, such as ("batch/v1", "Job"). */
  public Optional<Kind> kind(String apiVersion, String kind) {
    return Optional.ofNullable(byDocument.get(apiVersion + " " + kind));
  }

  /** Returns the kind as which the objects of a resource are stored; empty if they are not. */
  public Optional<Kind> findStored(String group, String name) {
    return byName.getOrDefault(name, List.of()).stream()
        .filter(resource -> resource.groupVersion().group().equals(group))
        .findFirst()
        .map(ApiResource::stored);
  }
}
