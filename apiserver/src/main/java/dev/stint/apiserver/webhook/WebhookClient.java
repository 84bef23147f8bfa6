package dev.stint.apiserver.webhook;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls webhooks: over TLS and HTTP/1.1, without redirects and proxies. A call blocks, has a time
 * limit, and its answer a limit of size. Few calls at once go to one webhook, so that one that does
 * not answer holds little.
 */
public final class WebhookClient {
  /** The time of a call. */
  public static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final int MOST_SERVERS = 64;

  private final ServiceResolver services;
  private final Duration timeout;
  private final Connections connections = new Connections(MOST_SERVERS);

  public WebhookClient(ServiceResolver services) {
    this(services, TIMEOUT);
  }

  WebhookClient(ServiceResolver services, Duration timeout) {
    this.services = services;
    this.timeout = timeout;
  }

  /**
   * Sends JSON to a webhook, and returns the body of its answer.
   *
   * @param mostBytes the longest answer that is read
   * @throws WebhookException if there is no such answer in time
   */
  public byte[] post(WebhookClientConfig config, byte[] body, int mostBytes)
      throws WebhookException {
    long deadline = RequestDeadline.of(timeout);
    WebhookEndpoint endpoint = endpoint(config, deadline);
    try (Connections.Use to = connections.use(Connections.Server.of(endpoint))) {
      if (!to.calls().tryAcquire(RequestDeadline.left(deadline), TimeUnit.NANOSECONDS)) {
        throw new WebhookException("context deadline exceeded, too many calls are under way");
      }
      try {
        return answer(to.http(), request(endpoint.connect(), body), mostBytes, deadline);
      } finally {
        to.calls().release();
      }
    } catch (WebhookException failed) {
      throw new WebhookException(
          "Post \"%s\": %s".formatted(endpoint.url(), failed.getMessage()), failed);
    } catch (GeneralSecurityException | IllegalArgumentException unusable) {
      throw new WebhookException("unable to load root certificates: " + unusable, unusable);
    } catch (InterruptedException stopped) {
      throw interrupted(stopped);
    }
  }

  private WebhookEndpoint endpoint(WebhookClientConfig config, long deadline)
      throws WebhookException {
    try {
      return NameLookups.result(() -> config.endpoint(services), deadline);
    } catch (InterruptedException stopped) {
      throw interrupted(stopped);
    }
  }

  private static WebhookException interrupted(InterruptedException stopped) {
    Thread.currentThread().interrupt();
    return new WebhookException("the server is shutting down", stopped);
  }

  private static HttpRequest request(URI url, byte[] body) {
    return HttpRequest.newBuilder(url)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, */*")
        .header("User-Agent", "stint")
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  private byte[] answer(HttpClient http, HttpRequest request, int mostBytes, long deadline)
      throws WebhookException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), mostBytes));
    try {
      HttpResponse<byte[]> found = answer.get(RequestDeadline.left(deadline), TimeUnit.NANOSECONDS);
      check(found.statusCode());
      return found.body();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause() == null ? failed : failed.getCause();
      throw new WebhookException(words(cause), cause);
    } catch (TimeoutException late) {
      throw new WebhookException("context deadline exceeded", late);
    } finally {
      answer.cancel(true);
    }
  }

  private static void check(int status) throws WebhookException {
    if (status == 404) {
      throw new WebhookException("the server could not find the requested resource");
    }
    if (status / 100 == 5) {
      throw new WebhookException(
          "an error on the server (status %d) has prevented the request from succeeding"
              .formatted(status));
    }
    if (status / 100 != 2) {
      throw new WebhookException("the webhook answered with status " + status);
    }
  }

  private static String words(Throwable cause) {
    return switch (cause) {
      case ConnectException _ when cause.getMessage() == null -> "connection refused";
      case IOException _ when cause.getMessage() != null -> cause.getMessage();
      default -> cause.toString();
    };
  }
}
