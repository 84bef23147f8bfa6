package dev.stint.apiserver.http;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.apiserver.catalogue.CustomType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request: a resource, or another path. The path is parsed once, when a {@link
 * Call} is made; metrics, authorization, routing and handlers ask the route.
 */
public sealed interface Route {
  /**
   * Returns the verb, such as {@code get}, {@code list} or {@code deletecollection}; for other
   * paths than those of resources, the HTTP method in lower case.
   */
  String verb();

  /**
   * A path outside of the API groups, such as that of a health check or of discovery.
   *
   * @param path as a whole
   * @param segments between its slashes, empty ones included
   */
  record NonResource(String verb, String path, List<String> segments) implements Route {}

  /**
   * A resource of a group and version.
   *
   * @param group "" for the core group
   * @param namespace "" if the path names none
   * @param resource the plural, such as "jobs"
   * @param name "" for the collection
   * @param subresource "" for the object itself
   * @param served the resource in the catalogue; empty if it is not served in this scope
   */
  record Resource(
      String verb,
      String group,
      String version,
      String namespace,
      String resource,
      String name,
      String subresource,
      Optional<ApiResource> served)
      implements Route {

    /** Returns the subresource in the catalogue; empty if the path names none that is served. */
    public Optional<Subresource> servedSubresource() {
      return subresource.isEmpty()
          ? Optional.empty()
          : served.flatMap(found -> found.subresource(subresource));
    }

    /** Returns the type of the custom resources that the path names; null if it names others. */
    public @Nullable CustomType custom() {
      return served.map(ApiResource::custom).orElse(null);
    }
  }

  /** True if the request may last as long as the client stays connected. */
  default boolean isLongRunning() {
    return this instanceof Resource resource
        && (resource.verb.equals("watch")
            || resource.servedSubresource().filter(Subresource::isLongRunning).isPresent());
  }

  /** True if the request enters a container, see {@link Subresource#entersContainer()}. */
  default boolean entersContainer() {
    return this instanceof Resource resource
        && resource.servedSubresource().filter(Subresource::entersContainer).isPresent();
  }

  /**
   * Parses a path. Never fails: resources that the catalogue does not have are rejected by those
   * who ask for them.
   */
  static Route of(ApiCatalogue catalogue, String method, String path, QueryParameters query) {
    List<String> segments =
        path.startsWith("/") ? List.of(path.substring(1).split("/", -1)) : List.of();
    List<String> named = withoutTrailingSlashes(segments);
    int prefix = prefixLength(named);
    List<String> rest = named.subList(prefix, named.size());
    boolean inNamespace = isInNamespace(catalogue, rest);
    List<String> target = inNamespace ? rest.subList(2, rest.size()) : rest;
    if (prefix == 0 || target.isEmpty() || target.size() > 3 || named.contains("")) {
      return new NonResource(method.toLowerCase(Locale.ROOT), path, segments);
    }
    String group = prefix == 2 ? "" : named.get(1);
    String version = named.get(prefix - 1);
    return new Resource(
        verb(method, target.size() > 1, query),
        group,
        version,
        inNamespace ? rest.get(1) : "",
        target.getFirst(),
        segment(target, 1),
        segment(target, 2),
        catalogue
            .find(group, version, target.getFirst())
            .filter(found -> found.namespaced() || !inNamespace));
  }

  private static List<String> withoutTrailingSlashes(List<String> segments) {
    int end = segments.size();
    while (end > 0 && segments.get(end - 1).isEmpty()) {
      end--;
    }
    return segments.subList(0, end);
  }

  /** Returns the number of segments before the resource: {@code api/v1}, {@code apis/batch/v1}. */
  private static int prefixLength(List<String> segments) {
    return switch (segment(segments, 0)) {
      case "api" -> segments.size() > 2 ? 2 : 0;
      case "apis" -> segments.size() > 3 ? 3 : 0;
      default -> 0;
    };
  }

  /**
   * True if a path names an object in a namespace, such as {@code namespaces/default/jobs}, and not
   * a subresource of a namespace, whose path looks the same.
   */
  private static boolean isInNamespace(ApiCatalogue catalogue, List<String> rest) {
    return rest.size() > 2
        && rest.getFirst().equals("namespaces")
        && catalogue
            .find("", "v1", "namespaces")
            .flatMap(namespaces -> namespaces.subresource(rest.get(2)))
            .isEmpty();
  }

  private static String segment(List<String> segments, int index) {
    return index < segments.size() ? segments.get(index) : "";
  }

  private static String verb(String method, boolean named, QueryParameters query) {
    return switch (method) {
      case "GET", "HEAD" -> named ? "get" : query.flag("watch") ? "watch" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> named ? "delete" : "deletecollection";
      default -> method.toLowerCase(Locale.ROOT);
    };
  }
}
