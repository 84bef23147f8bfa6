package dev.stint.kube.http;

import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * The part of an answer before its body.
 *
 * @param code the HTTP status code
 * @param contentType null if the answer does not tell it
 * @param retryAfter the value of the header {@code Retry-After}; null if there is none
 */
public record AnswerHead(int code, @Nullable String contentType, @Nullable String retryAfter) {
  static AnswerHead of(HttpResponse response) {
    return new AnswerHead(
        response.getCode(),
        value(response, HttpHeaders.CONTENT_TYPE),
        value(response, HttpHeaders.RETRY_AFTER));
  }

  private static @Nullable String value(HttpResponse response, String name) {
    Header first = response.getFirstHeader(name);
    return first == null ? null : first.getValue();
  }

  /** True if the API did what it was asked. */
  public boolean isSuccessful() {
    return code >= 200 && code < 300;
  }
}
