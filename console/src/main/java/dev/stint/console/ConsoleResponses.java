package dev.stint.console;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;

/** Builds the console's responses and the headers that all of them share. */
final class ConsoleResponses {
  /**
   * Security headers of every response: only the console's own content is run or shown, no page may
   * frame it, and no text is interpreted as markup.
   */
  static final List<ApiResponse.Header> SAFE =
      List.of(
          new ApiResponse.Header(
              "Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                  + "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                  + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"),
          new ApiResponse.Header("X-Content-Type-Options", "nosniff"),
          new ApiResponse.Header("X-Frame-Options", "DENY"),
          new ApiResponse.Header("Referrer-Policy", "no-referrer"),
          new ApiResponse.Header("Cross-Origin-Opener-Policy", "same-origin"),
          new ApiResponse.Header("Cross-Origin-Resource-Policy", "same-origin"));

  private ConsoleResponses() {}

  /** Returns an error response with a one-line reason. */
  static ApiResponse.Whole refused(int code, String why) {
    return ApiResponse.json(code, Json.object().put("error", why));
  }

  /** Returns the response with one more header. */
  static ApiResponse with(ApiResponse reply, ApiResponse.Header header) {
    return with(reply, List.of(header));
  }

  /** Returns the response with the security headers that it does not have itself. */
  static ApiResponse safe(ApiResponse reply) {
    return with(
        reply,
        SAFE.stream()
            .filter(header ->
                reply.headers().stream().noneMatch(own -> own.name().equals(header.name())))
            .toList());
  }

  private static ApiResponse with(ApiResponse reply, List<ApiResponse.Header> more) {
    List<ApiResponse.Header> all = new ArrayList<>(reply.headers());
    all.addAll(more);
    return switch (reply) {
      case ApiResponse.Whole(int code, String type, byte[] body, _) ->
          new ApiResponse.Whole(code, type, body, List.copyOf(all));
      case ApiResponse.Streamed(int code, String type, ApiResponse.Body body, _) ->
          new ApiResponse.Streamed(code, type, body, List.copyOf(all));
      case ApiResponse.Upgraded _ -> throw new IllegalStateException("nothing is upgraded here");
    };
  }
}
