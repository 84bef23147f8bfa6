package dev.stint.testkit;

/**
 * A request, as {@link ApiFaults} see it.
 *
 * @param verb get, list, watch, create, update, patch, delete or deletecollection
 * @param resource such as {@code jobs}
 * @param subresource such as {@code status}; "" for the object itself
 * @param namespace "" for all, and for what has none
 * @param name "" where it is about no single object, or one that is yet to get its name
 */
public record ApiRequest(
    String verb, String resource, String subresource, String namespace, String name) {
  @Override
  public String toString() {
    String what = subresource.isEmpty() ? resource : resource + "/" + subresource;
    return verb + " " + what + (name.isEmpty() ? "" : " " + name);
  }
}
