package dev.stint.bench.attack;

import dev.stint.model.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.node.ObjectNode;

/** A client of an API that sends and receives JSON, as one user. */
final class ApiClient implements AutoCloseable {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

  /** An answer; the code is 0 if none came. */
  record Answer(int code, String body) {
    ObjectNode tree() {
      return Json.parse(body);
    }
  }

  private final HttpClient http;
  private final String base;
  private final String token;

  /**
   * @param source the address that its connections come from
   * @param token "" for an anonymous user
   */
  ApiClient(String base, SSLContext tls, String source, String token) throws IOException {
    this.http =
        HttpClient.newBuilder()
            .sslContext(tls)
            .localAddress(InetAddress.getByName(source))
            .connectTimeout(REQUEST_TIMEOUT)
            .build();
    this.base = base;
    this.token = token;
  }

  private HttpRequest request(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(REQUEST_TIMEOUT)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  CompletableFuture<Answer> sendAsync(String method, String path, String body) {
    return http.sendAsync(request(method, path, body), BodyHandlers.ofString())
        .handle((answer, failure) ->
            failure == null
                ? new Answer(answer.statusCode(), answer.body())
                : new Answer(0, String.valueOf(failure.getMessage())));
  }

  Answer send(String method, String path, String body) {
    return sendAsync(method, path, body).join();
  }

  Answer get(String path) {
    return send("GET", path, "");
  }

  /** Makes a request that must succeed. */
  ObjectNode must(String method, String path, String body) {
    Answer answer = send(method, path, body);
    if (answer.code() < 200 || answer.code() >= 300) {
      throw new IllegalStateException(
          "%s %s: %d %s".formatted(method, path, answer.code(), answer.body()));
    }
    return answer.tree();
  }

  /** Opens a stream that stays open until the client is closed; completes with its status. */
  CompletableFuture<Integer> open(String path) {
    return http.sendAsync(request("GET", path, ""), BodyHandlers.ofInputStream())
        .thenApply(HttpResponse::statusCode);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
