package dev.stint.apiserver.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.PendingWrites;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.handler.RequestBodies;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adapts Jetty's requests to {@link Call}s, and {@link ApiResponse}s to its responses. */
public final class JettyAdapter extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(JettyAdapter.class);

  private final RequestFilter gate;
  private final HttpLimits limits;
  private final Semaphore atOnce;
  private final Semaphore streams;
  private final Semaphore bodies;
  private final Semaphore unreadBodies;
  private final Map<Runnable, Boolean> open = new ConcurrentHashMap<>();

  public JettyAdapter(RequestFilter gate, HttpLimits limits) {
    super(InvocationType.NON_BLOCKING);
    this.gate = gate;
    this.limits = limits;
    this.atOnce = new Semaphore(limits.requests());
    this.streams = new Semaphore(limits.streams());
    this.bodies = new Semaphore(limits.allBodyBytes());
    this.unreadBodies = new Semaphore(limits.requests());
  }

  HttpLimits limits() {
    return limits;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Thread.ofVirtual().name("stint-request").start(() -> serve(request, response, callback));
    return true;
  }

  private void serve(Request request, Response response, Callback callback) {
    try {
      switch (answered(request, response, callback)) {
        case ApiResponse.Whole _ -> {}
        case ApiResponse.Streamed streamed -> stream(streamed, request, response, callback);
        case ApiResponse.Upgraded upgraded -> upgrade(upgraded, request, response, callback);
      }
    } catch (IOException gone) {
      LOG.debug("A client disconnected: {}", gone.toString());
      callback.failed(gone);
    } catch (InterruptedException stopping) {
      callback.failed(stopping);
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error fault) {
      LOG.error("Failed to send the response for {}", request.getHttpURI().getPath(), fault);
      callback.failed(fault);
    }
  }

  /** Answers a request; sends a complete response before watches report its write. */
  private ApiResponse answered(Request request, Response response, Callback callback)
      throws IOException {
    RequestBody body = new RequestBody(request, limits, bodies, atOnce);
    try (PendingWrites.Asked _ = PendingWrites.begin()) {
      ApiResponse reply = answer(request, body);
      if (reply instanceof ApiResponse.Whole whole) {
        send(whole, request, response, body.hasShortRest() ? afterRest(body, callback) : callback);
      }
      return reply;
    }
  }

  /**
   * Returns a callback that ends the exchange once the rest of its body has come. Only as many
   * exchanges wait as requests are answered at once; others end at once.
   */
  private Callback afterRest(RequestBody body, Callback callback) {
    if (!unreadBodies.tryAcquire()) {
      return callback;
    }
    Runnable wait =
        () -> {
          body.awaitRest();
          unreadBodies.release();
          callback.succeeded();
        };
    return Callback.from(
        () -> Thread.ofVirtual().name("stint-unread-body").start(wait),
        failure -> {
          unreadBodies.release();
          callback.failed(failure);
        });
  }

  private ApiResponse answer(Request request, RequestBody body) throws IOException {
    if (!atOnce.tryAcquire()) {
      return ApiResponse.refused(
          new ClusterException(
              Reason.TOO_MANY_REQUESTS, "too many requests, please try again later"));
    }
    try (body) {
      return gate.answer(call(request, body), ClientIdentity.of(request));
    } catch (ClusterException refusal) {
      return ApiResponse.refused(refusal);
    } catch (RuntimeException | StackOverflowError fault) {
      LOG.error(
          "Internal error while handling {} {}",
          request.getMethod(),
          request.getHttpURI().getPath(),
          fault);
      return ApiResponse.refused(
          new ClusterException(Reason.INTERNAL, "Internal error occurred: see the server's log"));
    } finally {
      atOnce.release();
    }
  }

  private static Call call(Request request, RequestBody body) {
    return new Call(
        request.getMethod(),
        path(request),
        QueryParameters.of(request.getHttpURI().getQuery()),
        name -> header(request, name),
        body);
  }

  /** Returns the decoded path, not normalized: dots and semicolons stay. */
  private static String path(Request request) {
    String raw = String.valueOf(request.getHttpURI().getPath());
    try {
      return raw.indexOf('%') < 0 ? raw : URLDecoder.decode(raw.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw RequestBodies.bad("malformed path: " + raw);
    }
  }

  /**
   * Returns a header. HTTP/2 has the host elsewhere, and may split cookies into several headers.
   */
  private static @Nullable String header(Request request, String name) {
    String value = request.getHeaders().get(name);
    if (name.equals("Cookie")) {
      return value == null ? null : String.join("; ", request.getHeaders().getValuesList(name));
    }
    return value == null && name.equals("Host") ? request.getHttpURI().getAuthority() : value;
  }

  private static void head(ApiResponse reply, Response response) {
    response.setStatus(reply.code());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.type());
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
    reply.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
  }

  private static void send(
      ApiResponse.Whole whole, Request request, Response response, Callback callback) {
    head(whole, response);
    boolean bodiless = request.getMethod().equals("HEAD");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, whole.body().length);
    response.write(true, bodiless ? null : ByteBuffer.wrap(whole.body()), callback);
  }

  private void stream(
      ApiResponse.Streamed streamed, Request request, Response response, Callback callback)
      throws IOException, InterruptedException {
    if (!streams.tryAcquire()) {
      send(tooMany(), request, response, callback);
      return;
    }
    OpenStream sink = new OpenStream(request, response);
    open.put(sink, true);
    try {
      head(streamed, response);
      sink.write(new byte[0]);
      streamed.body().writeTo(sink);
      response.write(true, null, callback);
    } finally {
      open.remove(sink);
      streams.release();
    }
  }

  private void upgrade(
      ApiResponse.Upgraded upgraded, Request request, Response response, Callback callback) {
    if (!streams.tryAcquire()) {
      send(tooMany(), request, response, callback);
      return;
    }
    JettyWebSocketSession socket =
        new JettyWebSocketSession(upgraded.conversation(), upgraded.protocol(), streams::release);
    boolean taken =
        ServerWebSocketContainer.ensure(getServer())
            .upgrade(
                (_, accepted, _) -> {
                  if (!upgraded.protocol().isEmpty()) {
                    accepted.setAcceptedSubProtocol(upgraded.protocol());
                  }
                  open.put(socket, true);
                  socket.onClose(() -> open.remove(socket));
                  return socket;
                },
                request,
                response,
                callback);
    if (!taken) {
      streams.release();
      send(
          ApiResponse.refused(
              new ClusterException(
                  Reason.BAD_REQUEST, "unable to upgrade: malformed WebSocket request")),
          request,
          response,
          callback);
    }
  }

  private static ApiResponse.Whole tooMany() {
    return ApiResponse.refused(
        new ClusterException(Reason.TOO_MANY_REQUESTS, "too many watches, please try again later"));
  }

  /** Ends all streamed responses. */
  void endStreams() {
    open.keySet().forEach(Runnable::run);
  }

  /** A response that is being streamed; running it ends it. */
  private static final class OpenStream implements ApiResponse.Sink, Runnable {
    private final Response response;
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    OpenStream(Request request, Response response) {
      this.response = response;
      request.addIdleTimeoutListener(_ -> false);
      request.addFailureListener(_ -> run());
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      if (closed) {
        throw new EofException("the client has disconnected");
      }
      Content.Sink.write(response, false, ByteBuffer.wrap(bytes));
    }

    @Override
    public void onClose(Runnable task) {
      tasks.add(task);
      if (closed) {
        task.run();
      }
    }

    @Override
    public void run() {
      closed = true;
      tasks.forEach(Runnable::run);
    }
  }
}
