package dev.stint.kube.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * A request whose answer is read while it arrives. One thread opens and reads it; any thread may
 * close it, which ends what the other one waits for.
 */
public final class HttpStream implements AutoCloseable {
  private final ConnectionPool pool;
  private final Connection connection;
  private final ClassicHttpRequest request;
  private final byte[] buffer = new byte[8 * 1024];
  private InputStream body = InputStream.nullInputStream();

  HttpStream(ConnectionPool pool, Connection connection, ClassicHttpRequest request) {
    this.pool = pool;
    this.connection = connection;
    this.request = request;
  }

  /** Sends the request, and waits for the head of its answer. */
  public AnswerHead open() throws IOException {
    ClassicHttpResponse response = connection.open(request);
    HttpEntity entity = response.getEntity();
    if (entity != null) {
      body = entity.getContent();
    }
    return AnswerHead.of(response);
  }

  /** Waits for the next bytes of the answer; null at its end. */
  public byte @Nullable [] read() throws IOException {
    int count = body.read(buffer);
    return count < 0 ? null : Arrays.copyOf(buffer, count);
  }

  /** Waits for the end of the answer, and returns what has not been read. */
  public byte[] readRest() throws IOException {
    return body.readAllBytes();
  }

  @Override
  public void close() {
    pool.remove(connection);
  }
}
