package dev.stint.testkit;

/**
 * A request, as {@link ApiFaults} match it.
 *
 * @param verb get, list, watch, create, update, patch, delete or deletecollection
 * @param resource such as {@code jobs}
 * @param subresource such as {@code status}; "" for the object itself
 * @param namespace "" for all namespaces, and for cluster-scoped objects
 * @param name "" if the request names no single object, or creates one under a generated name
 */
public record ApiRequest(
    String verb, String resource, String subresource, String namespace, String name) {
  @Override
  public String toString() {
    String what = subresource.isEmpty() ? resource : resource + "/" + subresource;
    return verb + " " + what + (name.isEmpty() ? "" : " " + name);
  }
}
