package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.kube.RenewableClient.Login;
import dev.stint.kube.http.AnswerHead;
import dev.stint.kube.http.HttpStream;
import dev.stint.kube.http.RestRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is read while it arrives. One thread opens and reads it; any thread may close it,
 * which ends what the other one waits for.
 */
final class ApiStream implements AutoCloseable {
  private final RestClient rest;
  private final RenewableClient client;
  private final RestRequest request;
  private @Nullable HttpStream stream;
  private boolean closed;

  ApiStream(RestClient rest, RenewableClient client, RestRequest request) {
    this.rest = rest;
    this.client = client;
    this.request = request;
  }

  /**
   * Sends the request and waits for the head of its answer.
   *
   * @throws ClusterException {@code UNAVAILABLE} if there is none, or if it was closed
   */
  AnswerHead open() {
    Login used = client.current();
    try {
      AnswerHead head = begun(used).open();
      return RestClient.isUnauthorized(head) && client.renew(used)
          ? begun(client.current()).open()
          : head;
    } catch (IOException failure) {
      throw rest.unreachable(failure);
    }
  }

  /** Waits for the next bytes; null at the end. */
  byte @Nullable [] read() throws IOException {
    return opened().read();
  }

  /** Returns the rest of the answer. */
  byte[] readRest() throws IOException {
    return opened().readRest();
  }

  private synchronized HttpStream begun(Login login) throws IOException {
    if (stream != null) {
      stream.close();
    }
    if (closed) {
      throw new IOException("it was closed");
    }
    stream = login.http().stream(request);
    return stream;
  }

  private synchronized HttpStream opened() throws IOException {
    if (stream == null) {
      throw new IOException("it is not open");
    }
    return stream;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (stream != null) {
      stream.close();
    }
  }
}
