package dev.stint.apiserver.discovery;

import java.util.List;
import java.util.Locale;

/**
 * A resource that the API serves.
 *
 * @param name the plural, as in URLs
 * @param kind what its documents call themselves
 * @param verbs what can be done, in alphabetical order
 * @param shortNames what kubectl takes instead of the name
 * @param categories groups of resources that kubectl takes as one, such as {@code all}
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
  /** The name of one. */
  public String singular() {
    return kind.toLowerCase(Locale.ROOT);
  }

  /**
   * A part of a resource with an address of its own, such as {@code jobs/status}.
   *
   * @param groupVersion of the documents that are sent there, which may be another than the
   *     resource's
   */
  public record Subresource(
      String name, GroupVersion groupVersion, String kind, List<String> verbs) {}
}
