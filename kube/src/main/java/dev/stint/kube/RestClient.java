package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.RetryAfter;
import dev.stint.kube.RenewableClient.Login;
import dev.stint.model.Json;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends and receives JSON over HTTP with fabric8's client, which handles certificates and
 * credentials.
 */
final class RestClient implements AutoCloseable {
  static final String JSON = "application/json";
  static final String MERGE_PATCH = "application/merge-patch+json";

  /** YAML, of which JSON is a part. */
  static final String APPLY_PATCH = "application/apply-patch+yaml";

  private final RenewableClient client;
  private final String base;
  private final int timeoutMillis;
  private final Executor answers;

  /**
   * @param answers decodes answers, since the client's own threads must not block
   */
  RestClient(RenewableClient client, Executor answers) {
    this.client = client;
    Config config = client.current().config();
    String url = config.getMasterUrl();
    this.base = url.endsWith("/") ? url : url + "/";
    this.timeoutMillis = config.getRequestTimeout();
    this.answers = answers;
  }

  CompletableFuture<ObjectNode> get(String path) {
    return answer(request(path));
  }

  /**
   * Sends a document.
   *
   * @param method POST, PUT, PATCH or DELETE
   * @param contentType one of this class's constants
   */
  CompletableFuture<ObjectNode> send(
      String method, String path, String contentType, JsonNode document) {
    String body = new String(Json.bytes(document), StandardCharsets.UTF_8);
    return answer(request(path).method(method, contentType, body));
  }

  /** Opens a streaming response. Fails with {@code UNAVAILABLE}. */
  CompletableFuture<HttpResponse<AsyncBody>> stream(
      String path, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    HttpRequest request = request(path).forStreaming().build();
    Login used = client.current();
    return opened(used, request, consumer)
        .thenComposeAsync(
            response ->
                retryIfUnauthorized(
                    used,
                    response,
                    () -> {
                      response.body().cancel();
                      return opened(client.current(), request, consumer);
                    }),
            answers);
  }

  private CompletableFuture<HttpResponse<AsyncBody>> opened(
      Login login, HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    return refreshingOnFailure(() -> login.http().consumeBytes(request, consumer));
  }

  /** Returns the API's address, with a trailing slash. */
  String base() {
    return base;
  }

  boolean isClosed() {
    return client.isClosed();
  }

  @Override
  public void close() {
    client.close();
  }

  private HttpRequest.Builder request(String path) {
    return client
        .current()
        .http()
        .newHttpRequestBuilder()
        .uri(base + path)
        .setHeader("Accept", JSON);
  }

  private CompletableFuture<ObjectNode> answer(HttpRequest.Builder request) {
    HttpRequest built = request.timeout(timeoutMillis, TimeUnit.MILLISECONDS).build();
    Login used = client.current();
    return sent(used, built)
        .thenComposeAsync(
            response -> retryIfUnauthorized(used, response, () -> sent(client.current(), built)),
            answers)
        .thenApplyAsync(response -> decoded(built, response), answers);
  }

  /**
   * Repeats a request that the API answered with 401, if the credentials have changed. The API has
   * not processed it.
   */
  private <T> CompletableFuture<HttpResponse<T>> retryIfUnauthorized(
      Login used, HttpResponse<T> response, Supplier<CompletableFuture<HttpResponse<T>>> again) {
    return response.code() == Reason.UNAUTHORIZED.code()
        ? client
            .renew(used)
            .thenCompose(
                renewed -> renewed ? again.get() : CompletableFuture.completedFuture(response))
        : CompletableFuture.completedFuture(response);
  }

  private CompletableFuture<HttpResponse<byte[]>> sent(Login login, HttpRequest request) {
    return refreshingOnFailure(() -> login.http().sendAsync(request, byte[].class));
  }

  private static ObjectNode decoded(HttpRequest request, HttpResponse<byte @Nullable []> response) {
    byte[] found = response.body();
    byte[] body = found == null ? new byte[0] : found;
    if (!response.isSuccessful()) {
      ClusterException refusal = StatusReader.of(response.code(), body);
      Duration delay = RetryAfter.of(response.header("Retry-After"));
      throw delay == null ? refusal : refusal.withRetryAfter(delay);
    }
    try {
      return Json.parse(body);
    } catch (JacksonException | ClassCastException notAnObject) {
      String message =
          "the answer to " + request.method() + " " + request.uri() + " is not a JSON object";
      throw new ClusterException(Reason.INTERNAL, message, List.of(), notAnObject);
    }
  }

  private interface Call<T> {
    CompletableFuture<T> send();
  }

  private <T> CompletableFuture<T> refreshingOnFailure(Call<T> call) {
    try {
      return call.send()
          .exceptionallyCompose(failure ->
              client
                  .refresh()
                  .handle((_, _) -> unavailable(failure))
                  .thenCompose(CompletableFuture::failedFuture));
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(unavailable(failure));
    }
  }

  private ClusterException unavailable(Throwable failure) {
    Throwable cause = ClusterException.causeOf(failure);
    String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new ClusterException(
        Reason.UNAVAILABLE,
        "the Kubernetes API at " + base + " does not answer: " + why,
        List.of(),
        cause);
  }
}
