package dev.stint.apiserver.http;

import dev.stint.model.Kind;
import java.util.List;
import java.util.Optional;

/** The target of a path. */
public sealed interface Route {
  /** A path outside of the API groups: health, version, discovery, metrics. */
  record Plain(String path) implements Route {}

  /**
   * Objects of a group and version.
   *
   * @param group "" for the core group
   * @param namespace "" if the path names none
   * @param resource the plural, such as "jobs"
   * @param name "" for the collection
   * @param subresource "" for the object itself
   */
  record Objects(
      String group,
      String version,
      String namespace,
      String resource,
      String name,
      String subresource)
      implements Route {

    /** Returns the kind, if it is one that is stored. */
    public Optional<Kind> kind() {
      if (group.equals(Kind.EVENTS_EVENT.group())) {
        boolean events = version.equals("v1") && resource.equals(Kind.EVENTS_EVENT.plural());
        return events ? Optional.of(Kind.EVENT) : Optional.empty();
      }
      return Kind.all().stream()
          .filter(kind ->
              kind.group().equals(group)
                  && kind.version().equals(version)
                  && kind.plural().equals(resource)
                  && (kind.namespaced() || namespace.isEmpty()))
          .findFirst();
    }
  }

  /** Reads a path. Never fails: paths that name nothing are rejected at lookup. */
  static Route of(String path) {
    List<String> parts = parts(path);
    if (parts.size() > 2 && parts.getFirst().equals("api")) {
      return objects("", parts.get(1), parts.subList(2, parts.size()), path);
    }
    if (parts.size() > 3 && parts.getFirst().equals("apis")) {
      return objects(parts.get(1), parts.get(2), parts.subList(3, parts.size()), path);
    }
    return new Plain(path);
  }

  /** Returns the segments; none if one of them is empty. */
  private static List<String> parts(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    String trimmed = path.substring(0, end);
    return trimmed.contains("//") || !trimmed.startsWith("/")
        ? List.of()
        : List.of(trimmed.substring(1).split("/", -1));
  }

  private static Route objects(String group, String version, List<String> rest, String path) {
    boolean scoped = rest.size() > 2 && rest.getFirst().equals("namespaces");
    boolean own = scoped && List.of("status", "finalize").contains(rest.get(2));
    if (!scoped || own) {
      return objects(group, version, "", rest, path);
    }
    return objects(group, version, rest.get(1), rest.subList(2, rest.size()), path);
  }

  private static Route objects(
      String group, String version, String namespace, List<String> rest, String path) {
    return rest.size() > 3
        ? new Plain(path)
        : new Objects(group, version, namespace, rest.getFirst(), at(rest, 1), at(rest, 2));
  }

  private static String at(List<String> parts, int index) {
    return index < parts.size() ? parts.get(index) : "";
  }
}
