package dev.stint.bench.robustness;

import dev.stint.model.Json;
import dev.stint.runner.runtime.TrustAll;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** A client over HTTPS, with connections of its own. */
final class HttpsApi implements TestedApi {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient http;
  private final String base;
  private final String token;

  HttpsApi(String base, String token, HttpClient.Version version) {
    this.http =
        HttpClient.newBuilder()
            .sslContext(TrustAll.context())
            .version(version)
            .connectTimeout(REQUEST_TIMEOUT)
            .build();
    this.base = base;
    this.token = token;
  }

  private HttpRequest.Builder request(String method, String path, String body) {
    String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    return HttpRequest.newBuilder(URI.create(base + path))
        .header("Content-Type", type)
        .header("Authorization", "Bearer " + token)
        .method(method, BodyPublishers.ofString(body));
  }

  @Override
  public Reply send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        http.send(
            request(method, path, body).timeout(REQUEST_TIMEOUT).build(),
            BodyHandlers.ofByteArray());
    try {
      return new Reply(answer.statusCode(), Json.parse(answer.body()));
    } catch (JacksonException | ClassCastException cutOff) {
      throw new IOException("not an answer", cutOff);
    }
  }

  @Override
  public int watch(String path, Consumer<ObjectNode> line)
      throws IOException, InterruptedException {
    HttpResponse<Stream<String>> answer =
        http.send(request("GET", path, "").build(), BodyHandlers.ofLines());
    try (Stream<String> lines = answer.body()) {
      lines.forEach(each -> line.accept(Json.parse(each)));
    } catch (JacksonException | UncheckedIOException cutOff) {
      throw new IOException("cut off", cutOff);
    }
    return answer.statusCode();
  }

  @Override
  public boolean isReady() throws InterruptedException {
    try {
      HttpRequest ready = request("GET", "/readyz", "").timeout(REQUEST_TIMEOUT).build();
      return http.send(ready, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
