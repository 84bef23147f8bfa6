package dev.stint.apiserver.http;

/** What is told of requests, each once it is answered. */
@FunctionalInterface
public interface RequestMetrics {
  RequestMetrics NONE = (_, _) -> {};

  /**
   * What was asked, in words of which there are only so many, whoever asks for whatever.
   *
   * @param verb such as {@code POST} or {@code LIST}
   * @param dryRun whether nothing was to be kept of it
   * @param group "" for the core group; all that names what is not there is ""
   * @param resource "" for what is no resource
   * @param subresource "" for the object itself
   * @param scope {@code resource}, {@code namespace} or {@code cluster}; "" for what is no resource
   */
  record Asked(
      String verb,
      boolean dryRun,
      String group,
      String version,
      String resource,
      String subresource,
      String scope) {}

  /**
   * A request was answered, or its answer begins.
   *
   * @param code of HTTP
   */
  void answered(Asked asked, int code);
}
