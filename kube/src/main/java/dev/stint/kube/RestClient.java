package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.RetryAfter;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.kube.RenewableClient.Login;
import dev.stint.model.Json;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends and receives documents over HTTP with fabric8's client, which handles certificates and
 * credentials.
 */
final class RestClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RestClient.class);

  static final String JSON = ContentType.JSON.mediaType();
  static final String MERGE_PATCH = "application/merge-patch+json";

  /** YAML, of which JSON is a part. */
  static final String APPLY_PATCH = "application/apply-patch+yaml";

  /**
   * The time that a request may take. It is kube-apiserver's {@code --request-timeout}: a busy API
   * still works on a request until then, and whoever gives up earlier only asks again.
   */
  static final int LONGEST_REQUEST_MILLIS = 60_000;

  private final RenewableClient client;
  private final String base;
  private final int timeoutMillis;
  private final Executor answers;

  /** The preferred type; JSON from the time on at which the API does not accept the other one. */
  private volatile ContentType type;

  /**
   * @param type the type that is preferred
   * @param answers decodes answers, since the client's own threads must not block
   */
  RestClient(RenewableClient client, ContentType type, Executor answers) {
    this.client = client;
    this.type = type;
    Config config = client.current().config();
    String url = config.getMasterUrl();
    this.base = url.endsWith("/") ? url : url + "/";
    this.timeoutMillis = config.getRequestTimeout();
    this.answers = answers;
  }

  /**
   * Reads something.
   *
   * @param reading reads the answer, which is asked for once more in JSON if it cannot be read
   */
  <T> CompletableFuture<T> get(String path, Function<ApiAnswer, T> reading) {
    return orInJson(() -> answer(() -> request(path, type)).thenApplyAsync(reading, answers));
  }

  /** Reads something in JSON, of which nothing is lost if the API is younger. */
  <T> CompletableFuture<T> getInJson(String path, Function<ApiAnswer, T> reading) {
    return answer(() -> request(path, ContentType.JSON)).thenApplyAsync(reading, answers);
  }

  /**
   * Sends a document.
   *
   * @param method POST, PUT, PATCH or DELETE
   * @param contentType one of this class's constants; JSON may be replaced by a preferred type
   * @param wanted the preferred type of the answer, which cannot be asked for again
   */
  CompletableFuture<ApiAnswer> send(
      String method, String path, String contentType, ObjectNode document, ContentType wanted) {
    return orInJson(() -> {
      ContentType answered = type == ContentType.JSON ? type : wanted;
      byte[] message = contentType.equals(JSON) ? message(method, document) : null;
      return message == null
          ? answer(() -> request(path, answered).method(method, contentType, text(document)))
          : answer(() -> sending(request(path, answered), message, method));
    });
  }

  private static String text(ObjectNode document) {
    return new String(Json.bytes(document), StandardCharsets.UTF_8);
  }

  /** Returns a document in protobuf; null if it is to be sent in JSON. */
  private byte @Nullable [] message(String method, ObjectNode document) {
    return type == ContentType.PROTOBUF && !method.equals("DELETE")
        ? ProtobufDocument.writeComplete(document)
        : null;
  }

  private static HttpRequest.Builder sending(
      HttpRequest.Builder request, byte[] message, String method) {
    String protobuf = ContentType.PROTOBUF.mediaType();
    return method.equals("POST")
        ? request.post(protobuf, message)
        : request.method(method, protobuf, new ByteArrayInputStream(message), message.length);
  }

  /**
   * Sends a request again in JSON if the API does not accept what we prefer, so that it has not
   * carried it out, or if we cannot read its answer.
   */
  private <T> CompletableFuture<T> orInJson(Supplier<CompletableFuture<T>> request) {
    return type == ContentType.JSON
        ? request.get()
        : request
            .get()
            .exceptionallyCompose(failure ->
                needsJson(failure) ? request.get() : CompletableFuture.failedFuture(failure));
  }

  /**
   * True if a request in protobuf failed because of the encoding; from then on everything is sent
   * in JSON.
   */
  boolean needsJson(Throwable failure) {
    boolean isOfEncoding =
        ClusterException.causeOf(failure) instanceof ClusterException refusal
            && (refusal.reason() == Reason.NOT_ACCEPTABLE
                || refusal.reason() == Reason.UNSUPPORTED_MEDIA_TYPE);
    if (isOfEncoding && type != ContentType.JSON) {
      type = ContentType.JSON;
      String why = ClusterException.causeOf(failure).getMessage();
      LOG.info("Continuing in JSON with {}: {}", base, why);
    }
    return isOfEncoding;
  }

  /** True if everything is sent and asked for in JSON, from now on or all the time. */
  boolean usesJson() {
    return type == ContentType.JSON;
  }

  /** Opens a watch. Fails with {@code UNAVAILABLE}. */
  CompletableFuture<HttpResponse<AsyncBody>> watch(
      String path, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    return stream(request(path, type), consumer);
  }

  /** Opens a streaming response of text. Fails with {@code UNAVAILABLE}. */
  CompletableFuture<HttpResponse<AsyncBody>> stream(
      String path, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    return stream(request(path, ContentType.JSON), consumer);
  }

  private CompletableFuture<HttpResponse<AsyncBody>> stream(
      HttpRequest.Builder builder, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    HttpRequest request = builder.forStreaming().build();
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

  private HttpRequest.Builder request(String path, ContentType wanted) {
    return client
        .current()
        .http()
        .newHttpRequestBuilder()
        .uri(base + path)
        .setHeader("Accept", wanted.accepted());
  }

  /**
   * @param request makes it, also once more: a body can be read only once
   */
  private CompletableFuture<ApiAnswer> answer(Supplier<HttpRequest.Builder> request) {
    Login used = client.current();
    return sent(used, built(request))
        .thenComposeAsync(
            response ->
                retryIfUnauthorized(used, response, () -> sent(client.current(), built(request))),
            answers)
        .thenApplyAsync(RestClient::read, answers);
  }

  private HttpRequest built(Supplier<HttpRequest.Builder> request) {
    return request.get().timeout(timeoutMillis, TimeUnit.MILLISECONDS).build();
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

  private static ApiAnswer read(HttpResponse<byte @Nullable []> response) {
    byte[] found = response.body();
    byte[] body = found == null ? new byte[0] : found;
    if (!response.isSuccessful()) {
      ClusterException refusal = StatusReader.of(response.code(), body);
      Duration delay = RetryAfter.of(response.header("Retry-After"));
      throw delay == null ? refusal : refusal.withRetryAfter(delay);
    }
    HttpRequest request = response.request();
    return new ApiAnswer(request.method() + " " + request.uri(), isProtobuf(response), body);
  }

  /** True if an answer is in protobuf. */
  static boolean isProtobuf(HttpResponse<?> response) {
    String found = response.header("Content-Type");
    return found != null && found.startsWith(ContentType.PROTOBUF.mediaType());
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
