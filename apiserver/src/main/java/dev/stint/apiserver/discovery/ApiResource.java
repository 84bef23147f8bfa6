package dev.stint.apiserver.discovery;

import java.util.List;
import java.util.Locale;

/**
 * A resource that the API serves.
 *
 * @param name the plural, as in URLs
 * @param kind the kind of its documents
 * @param verbs in alphabetical order
 * @param shortNames short forms of the name that kubectl accepts
 * @param categories groups of resources that kubectl accepts as one, such as {@code all}
 */
public record ApiResource(
    GroupVersion groupVersion,
    String name,
    String kind,
    boolean namespaced,
    List<String> verbs,
    List<String> shortNames,
    List<String> categories,
    List<Subresource> subresources) {
  /** Returns the singular name. */
  public String singular() {
    return kind.toLowerCase(Locale.ROOT);
  }

  /**
   * A subresource with its own path, such as {@code jobs/status}.
   *
   * @param groupVersion of its request documents, which may differ from the resource's
   */
  public record Subresource(
      String name, GroupVersion groupVersion, String kind, List<String> verbs) {}
}
