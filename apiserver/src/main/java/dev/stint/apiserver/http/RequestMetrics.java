package dev.stint.apiserver.http;

/** Receives metrics of requests, each once it is answered. */
@FunctionalInterface
public interface RequestMetrics {
  RequestMetrics NONE = (_, _) -> {};

  /**
   * The labels of a request, whose number of values is bounded whatever clients send.
   *
   * @param verb such as {@code POST} or {@code LIST}
   * @param dryRun true if the request was a dry run
   * @param group "" for the core group; all labels are "" for a resource that does not exist
   * @param resource "" for a path that is no resource
   * @param subresource "" for the object itself
   * @param scope {@code resource}, {@code namespace} or {@code cluster}; "" for a path that is no
   *     resource
   */
  record Labels(
      String verb,
      boolean dryRun,
      String group,
      String version,
      String resource,
      String subresource,
      String scope) {}

  /**
   * Called when a request is answered, or when its streamed response begins.
   *
   * @param code the HTTP status code
   */
  void onAnswer(Labels labels, int code);
}
