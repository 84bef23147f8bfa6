package dev.stint.kube.http;

import dev.stint.cluster.Timers;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to an API server. Its methods block, and are meant for virtual threads: each
 * request has a connection while it lasts, which the next one uses again.
 */
public final class HttpTransport implements AutoCloseable {
  private final ConnectionPool pool;
  private final Credentials credentials;
  private final RequestWriter writer;
  private final Timers timers;

  /**
   * Creates a transport without connecting.
   *
   * @param config the server's address, its certificates, the proxy, and our credentials
   * @param timers ends connections that nobody uses, and requests that take too long; keeps
   *     WebSockets alive
   * @throws KubernetesClientException if certificates, keys or the proxy cannot be used
   */
  public HttpTransport(Config config, Timers timers) {
    ConnectionSettings settings = ConnectionSettings.of(config);
    Duration limit = Duration.ofMillis(config.getRequestTimeout());
    this.pool = new ConnectionPool(new Dialer(settings), timers, limit);
    this.credentials = new Credentials(settings.interceptors(), config);
    this.writer = new RequestWriter(settings, credentials);
    this.timers = timers;
  }

  /**
   * Sends a request and returns its whole answer. It is sent once; but a reading one is sent again
   * if the server had ended the connection that it used.
   *
   * @throws IOException if there is no answer, or none in time; what was to be written may be
   *     written nevertheless
   */
  public HttpAnswer send(RestRequest request) throws IOException {
    ClassicHttpRequest message = writer.message(request);
    Connection kept = pool.takeIdle();
    if (kept != null) {
      HttpAnswer answer = sentOverKept(kept, message, request.isGet());
      if (answer != null) {
        return answer;
      }
    }
    return exchanged(pool.forRequest(), message);
  }

  /**
   * Sends a request over a connection that was used before.
   *
   * @return null if the connection is dead, and the request may be sent over another one
   */
  private @Nullable HttpAnswer sentOverKept(
      Connection kept, ClassicHttpRequest message, boolean mayRepeat) throws IOException {
    try {
      return exchanged(kept, message);
    } catch (SocketTimeoutException late) {
      throw late;
    } catch (IOException dead) {
      pool.removeIdle();
      if (!mayRepeat) {
        throw dead;
      }
      return null;
    }
  }

  private HttpAnswer exchanged(Connection connection, ClassicHttpRequest message)
      throws IOException {
    try {
      HttpAnswer answer = connection.exchange(message);
      pool.giveBack(connection);
      return answer;
    } catch (IOException | RuntimeException failure) {
      pool.remove(connection);
      throw failure;
    }
  }

  /** Prepares a request whose answer is read while it arrives, without a limit of time. */
  public HttpStream stream(RestRequest request) throws IOException {
    ClassicHttpRequest message = writer.message(request); // It may fail, so it comes first.
    return new HttpStream(pool, pool.forStream(), message);
  }

  /**
   * Prepares a request that becomes a WebSocket, which may take any time once the server agrees.
   *
   * @param protocols the subprotocols that the server may choose from, the preferred one first
   * @param random makes its key and its masks
   */
  public WebSocketStream webSocket(
      RestRequest request, List<String> protocols, RandomGenerator random) throws IOException {
    ClassicHttpRequest message = writer.message(request); // It may fail, so it comes first.
    return new WebSocketStream(pool, pool.forRequest(), message, protocols, random, timers);
  }

  /**
   * Asks the auth-provider of a kubeconfig for another token, after the API has answered 401.
   *
   * @return true if there is one, which the following requests have
   * @throws IOException if the provider does not answer
   */
  public boolean renewToken() throws IOException {
    return credentials.renew();
  }

  /** Ends all connections. Requests under way fail. */
  @Override
  public void close() {
    pool.close();
  }
}
