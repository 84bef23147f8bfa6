package dev.stint.kube.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A connection to an API server, for one request at a time. What it does blocks, until any thread
 * calls {@link #abort}.
 */
final class Connection {
  private static final HttpRequestExecutor EXECUTOR = new HttpRequestExecutor();
  private static final byte[] NOTHING = {};

  private final Dialer dialer;
  private volatile @Nullable Socket socket;
  private Dialer.@Nullable Dialed dialed;
  private boolean isReusable;
  private volatile boolean isOverdue;
  private volatile boolean isAborted;

  /** Creates a connection that its first request will connect. */
  Connection(Dialer dialer) {
    this.dialer = dialer;
  }

  /**
   * Sends a request and reads its answer.
   *
   * @throws SocketTimeoutException if it was found to take too long
   */
  HttpAnswer exchange(ClassicHttpRequest request) throws IOException {
    isReusable = false;
    HttpCoreContext context = HttpCoreContext.create();
    try {
      ClassicHttpResponse response = execute(request, context);
      byte[] body = body(response);
      isReusable = EXECUTOR.keepAlive(request, response, connected(), context);
      return new HttpAnswer(AnswerHead.of(response), body);
    } catch (IOException failure) {
      throw explained(failure);
    }
  }

  /** Returns why a request has failed: it may have been ended because it takes too long. */
  IOException explained(IOException failure) {
    return isOverdue ? new SocketTimeoutException("no answer came in time") : failure;
  }

  /** Sends a request, and returns an answer whose body has not been read. */
  ClassicHttpResponse open(ClassicHttpRequest request) throws IOException {
    return execute(request, HttpCoreContext.create());
  }

  /**
   * Sends a request without a body that asks for another protocol, and returns its answer. If the
   * server agrees, the body is what it sends from then on.
   *
   * @throws SocketTimeoutException if it was found to take too long
   */
  ClassicHttpResponse upgrade(ClassicHttpRequest request) throws IOException {
    try {
      return upgraded(connected(), request);
    } catch (IOException failure) {
      throw explained(failure);
    }
  }

  private static ClassicHttpResponse upgraded(
      DefaultBHttpClientConnection http, ClassicHttpRequest request) throws IOException {
    try {
      http.sendRequestHeader(request);
      http.flush();
      ClassicHttpResponse response = http.receiveResponseHeader();
      if (response.getCode() == HttpStatus.SC_SWITCHING_PROTOCOLS) {
        response.removeHeaders(HttpHeaders.CONTENT_LENGTH);
        response.removeHeaders(HttpHeaders.TRANSFER_ENCODING);
      }
      http.receiveResponseEntity(response);
      checkWhole(response);
      return response;
    } catch (HttpException incomprehensible) {
      throw new IOException(incomprehensible.getMessage(), incomprehensible);
    }
  }

  /** Returns where bytes of another protocol are written, after the server has agreed to it. */
  OutputStream output() throws IOException {
    return dialed().out();
  }

  private ClassicHttpResponse execute(ClassicHttpRequest request, HttpCoreContext context)
      throws IOException {
    try {
      ClassicHttpResponse response = EXECUTOR.execute(request, connected(), context);
      checkWhole(response);
      return response;
    } catch (HttpException incomprehensible) {
      throw new IOException(incomprehensible.getMessage(), incomprehensible);
    }
  }

  /**
   * Refuses a head that breaks off, which passes for a whole one: a server of HTTP/1.1 that tells
   * the length of a body by the end of the connection says so.
   */
  private static void checkWhole(ClassicHttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    boolean hasNoEnd = entity != null && entity.getContentLength() < 0 && !entity.isChunked();
    boolean isOld = HttpVersion.HTTP_1_0.equals(response.getVersion());
    if (hasNoEnd && !isOld && !response.containsHeader(HttpHeaders.CONNECTION)) {
      throw new IOException("the answer broke off within its headers");
    }
  }

  private static byte[] body(ClassicHttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    if (entity == null) {
      return NOTHING;
    }
    long length = entity.getContentLength();
    return length >= 0 && length <= Integer.MAX_VALUE
        ? entity.getContent().readNBytes((int) length)
        : entity.getContent().readAllBytes();
  }

  /** True if the last answer is complete and another request may follow it. */
  boolean isReusable() {
    return isReusable;
  }

  /**
   * True if the server has neither ended it meanwhile nor sent what nobody asked for, which would
   * be taken for the next answer. Waits two milliseconds for either.
   */
  boolean isUsable() {
    try {
      return !connected().isStale() && !connected().isDataAvailable(Timeout.ofMilliseconds(1));
    } catch (IOException broken) {
      return false;
    }
  }

  /** Ends it because its request takes too long. */
  void abortAsOverdue() {
    isOverdue = true;
    abort();
  }

  /** Ends it, and whatever waits for it. */
  void abort() {
    isAborted = true;
    close(socket);
  }

  /** Takes the socket that connects now. */
  private void use(Socket next) {
    socket = next;
    if (isAborted) {
      close(next);
    }
  }

  private static void close(@Nullable Socket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException closed) {
      // It is of no use any more, which was the purpose.
    }
  }

  /** Returns what speaks HTTP, after connecting at the first use. */
  private DefaultBHttpClientConnection connected() throws IOException {
    return dialed().http();
  }

  private Dialer.Dialed dialed() throws IOException {
    Dialer.Dialed known = dialed;
    if (known == null) {
      known = dialer.connect(this::use);
      dialed = known;
    }
    return known;
  }
}
