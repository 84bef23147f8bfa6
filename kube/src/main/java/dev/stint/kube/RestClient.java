package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.RetryAfter;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.kube.RenewableClient.Login;
import dev.stint.kube.http.AnswerHead;
import dev.stint.kube.http.HttpAnswer;
import dev.stint.kube.http.RestRequest;
import dev.stint.kube.http.WebSocketStream;
import dev.stint.model.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends and receives documents over HTTP. Each request has a virtual thread, on which its answer is
 * decoded too.
 */
final class RestClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RestClient.class);

  static final String JSON = ContentType.JSON.mediaType();
  static final String MERGE_PATCH = "application/merge-patch+json";

  /** YAML, of which JSON is a part. */
  static final String APPLY_PATCH = "application/apply-patch+yaml";

  /** A kubelet refuses upgrades whose answer may have one type only. Refusals are in JSON. */
  private static final String UPGRADED = JSON + ", */*";

  /**
   * The time that a request may take. It is kube-apiserver's {@code --request-timeout}: a busy API
   * still works on a request until then, and whoever gives up earlier only asks again.
   */
  static final int LONGEST_REQUEST_MILLIS = 60_000;

  private final RenewableClient client;
  private final String base;
  private final Executor virtualThreads;

  /** The preferred type; JSON from the time on at which the API does not accept the other one. */
  private volatile ContentType type;

  /**
   * @param type the type that is preferred
   */
  RestClient(RenewableClient client, ContentType type, Executor virtualThreads) {
    this.client = client;
    this.type = type;
    String url = client.current().config().getMasterUrl();
    this.base = url.endsWith("/") ? url : url + "/";
    this.virtualThreads = virtualThreads;
  }

  /**
   * Reads something.
   *
   * @param reading reads the answer, which is asked for once more in JSON if it cannot be read
   */
  <T> CompletableFuture<T> get(String path, Function<ApiAnswer, T> reading) {
    return later(() -> orInJson(() -> reading.apply(answer(reading(path, type)))));
  }

  /** Reads something in JSON, of which nothing is lost if the API is younger. */
  <T> CompletableFuture<T> getInJson(String path, Function<ApiAnswer, T> reading) {
    return later(() -> reading.apply(answer(reading(path, ContentType.JSON))));
  }

  private static RestRequest reading(String path, ContentType wanted) {
    return RestRequest.get(path, wanted.accepted());
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
    return later(() ->
        orInJson(() -> {
          ContentType answered = type == ContentType.JSON ? type : wanted;
          RestRequest.Content content = content(method, contentType, document);
          return answer(new RestRequest(method, path, answered.accepted(), content));
        }));
  }

  private RestRequest.Content content(String method, String contentType, ObjectNode document) {
    byte[] message =
        contentType.equals(JSON) && type == ContentType.PROTOBUF && !method.equals("DELETE")
            ? ProtobufDocument.writeComplete(document)
            : null;
    return message == null
        ? new RestRequest.Content(contentType, Json.bytes(document))
        : new RestRequest.Content(ContentType.PROTOBUF.mediaType(), message);
  }

  /** Does something that blocks on a thread of its own; fails if this client is closed. */
  <T extends @Nullable Object> CompletableFuture<T> later(Supplier<T> request) {
    try {
      return CompletableFuture.supplyAsync(request, virtualThreads);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.failedFuture(unavailable(new IOException("the client is closed")));
    }
  }

  /**
   * Sends a request again in JSON if the API does not accept what we prefer, so that it has not
   * carried it out, or if we cannot read its answer.
   */
  private <T> T orInJson(Supplier<T> request) {
    if (type == ContentType.JSON) {
      return request.get();
    }
    try {
      return request.get();
    } catch (ClusterException failure) {
      if (needsJson(failure)) {
        return request.get();
      }
      throw failure;
    }
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

  /** Returns a watch, which is not open yet. */
  ApiStream watch(String path) {
    return new ApiStream(this, client, reading(path, type));
  }

  /** Returns a stream of text, which is not open yet. */
  ApiStream stream(String path) {
    return new ApiStream(this, client, reading(path, ContentType.JSON));
  }

  /**
   * Opens a WebSocket.
   *
   * @param protocols the subprotocols that the API may choose from, the preferred one first
   * @throws ClusterException if the API refuses, or does not answer
   */
  WebSocketStream webSocket(String path, List<String> protocols, RandomGenerator random) {
    return ApiSocket.open(this, client, RestRequest.get(path, UPGRADED), protocols, random);
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

  private ApiAnswer answer(RestRequest request) {
    HttpAnswer answer = send(request);
    AnswerHead head = answer.head();
    if (!head.isSuccessful()) {
      ClusterException refusal = StatusReader.of(head.code(), answer.body());
      Duration delay = RetryAfter.of(head.retryAfter());
      throw delay == null ? refusal : refusal.withRetryAfter(delay);
    }
    String name = request.method() + " " + base + request.path();
    return new ApiAnswer(name, isProtobuf(head), answer.body());
  }

  /**
   * Sends a request. One that the API answered with 401, and so has not processed, is sent again if
   * the credentials have changed.
   */
  private HttpAnswer send(RestRequest request) {
    Login used = client.current();
    try {
      HttpAnswer answer = used.http().send(request);
      return isUnauthorized(answer.head()) && client.renew(used)
          ? client.current().http().send(request)
          : answer;
    } catch (IOException failure) {
      throw unreachable(failure);
    }
  }

  static boolean isUnauthorized(AnswerHead head) {
    return head.code() == Reason.UNAUTHORIZED.code();
  }

  /** True if an answer is in protobuf. */
  static boolean isProtobuf(AnswerHead head) {
    String found = head.contentType();
    return found != null && found.startsWith(ContentType.PROTOBUF.mediaType());
  }

  /**
   * Returns the error of a request without an answer, after looking for other certificates, which
   * may be the reason.
   */
  ClusterException unreachable(IOException failure) {
    client.refresh();
    return unavailable(failure);
  }

  private ClusterException unavailable(IOException failure) {
    @Nullable String message = failure.getMessage();
    String why = message == null ? failure.getClass().getSimpleName() : message;
    return new ClusterException(
        Reason.UNAVAILABLE,
        "the Kubernetes API at " + base + " does not answer: " + why,
        List.of(),
        failure);
  }
}
