package dev.stint.apiserver.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.apiserver.access.HealthPath;
import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.PendingWrites;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.WebSocketSession;
import dev.stint.apiserver.http.handler.RequestBodies;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
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

  /** The number of health checks that wait for their threads; more are served as other requests. */
  private static final int WAITING_CHECKS = 1_000;

  private static final Set<String> READING = Set.of("GET", "HEAD");

  private final Supplier<ApiCatalogue> catalogue;
  private final RequestFilter gate;
  private final HttpLimits limits;
  private final Budgets budgets;
  private final Map<Runnable, Boolean> open = new ConcurrentHashMap<>();

  /** Serves health checks, whatever other requests do to the threads that they share. */
  private final ThreadPoolExecutor checks =
      new ThreadPoolExecutor(
          2,
          2,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING_CHECKS),
          Thread.ofPlatform().daemon().name("stint-health").factory());

  private @Nullable OpenConnections connections;

  /**
   * @param catalogue returns the resources that are served now
   */
  public JettyAdapter(Supplier<ApiCatalogue> catalogue, RequestFilter gate, HttpLimits limits) {
    super(InvocationType.NON_BLOCKING);
    this.catalogue = catalogue;
    this.gate = gate;
    this.limits = limits;
    this.budgets = Budgets.of(limits);
    checks.allowCoreThreadTimeOut(true);
  }

  /** Returns an adapter for pages other than those of API resources. */
  public static JettyAdapter ofPages(RequestFilter pages, HttpLimits limits) {
    return new JettyAdapter(() -> ApiCatalogue.EMPTY, pages, limits);
  }

  HttpLimits limits() {
    return limits;
  }

  /** Sets the server's connections, before it starts. */
  void serve(OpenConnections all) {
    connections = all;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    OpenConnections.Held connection = Objects.requireNonNull(connections).of(request);
    boolean check = isCheck(request);
    Exchange exchange = Exchange.begin(budgets, connection, request, check);
    Callback end = Callback.from(callback, exchange::end);
    if (check && !exchange.isAdmitted()) {
      exchange.disconnect();
      end.failed(new EofException("too many health checks of one address"));
      return true;
    }
    Runnable task = () -> serve(request, response, end, exchange);
    if (!check || !isStarted(task)) {
      Thread.ofVirtual().name("stint-request").start(task);
    }
    return true;
  }

  private static boolean isCheck(Request request) {
    return READING.contains(request.getMethod())
        && HealthPath.matches(String.valueOf(request.getHttpURI().getPath()));
  }

  private boolean isStarted(Runnable check) {
    try {
      checks.execute(check);
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  private void serve(Request request, Response response, Callback callback, Exchange exchange) {
    try {
      switch (answered(request, response, callback, exchange)) {
        case ApiResponse.Whole _ -> {}
        case ApiResponse.Streamed streamed ->
            stream(streamed, request, response, callback, exchange);
        case ApiResponse.Upgraded upgraded ->
            upgrade(upgraded, request, response, callback, exchange);
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
  private ApiResponse answered(
      Request request, Response response, Callback callback, Exchange exchange) throws IOException {
    RequestBody body = new RequestBody(request, limits, exchange);
    try (PendingWrites.Asked _ = PendingWrites.begin()) {
      ApiResponse reply = answer(request, body);
      if (!exchange.isAdmitted()) {
        exchange.disconnect();
        throw new EofException("there is no memory even for refusing the request");
      }
      if (reply instanceof ApiResponse.Whole whole) {
        send(
            counted(whole, request, exchange),
            request,
            response,
            body.hasShortRest() ? afterRest(body, callback) : callback);
      }
      return reply;
    }
  }

  /** Returns an answer that there is memory for: a refusal for one that can be asked for again. */
  private static ApiResponse.Whole counted(
      ApiResponse.Whole whole, Request request, Exchange exchange) {
    if (!READING.contains(request.getMethod())) {
      return exchange.takesAnswerOfWrite(whole.body().length)
          ? whole
          : ApiResponse.refused(
              new ClusterException(
                  Reason.TIMEOUT,
                  "the request was carried out, but too many answers wait to be read; read the"
                      + " object to see what became of it"));
    }
    return exchange.takesAnswer(whole.body().length)
        ? whole
        : ApiResponse.refused(Exchange.tooMany("too many answers wait to be read"));
  }

  /** Returns a callback that ends the exchange once the rest of its body has come. */
  private static Callback afterRest(RequestBody body, Callback callback) {
    Runnable wait =
        () -> {
          body.awaitRest();
          callback.succeeded();
        };
    return Callback.from(
        () -> Thread.ofVirtual().name("stint-unread-body").start(wait), callback::failed);
  }

  private ApiResponse answer(Request request, RequestBody body) throws IOException {
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
    }
  }

  private Call call(Request request, RequestBody body) {
    return new Call(
        catalogue.get(),
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
      ApiResponse.Streamed streamed,
      Request request,
      Response response,
      Callback callback,
      Exchange exchange)
      throws IOException, InterruptedException {
    String lacking = takenBy(streamed.body(), exchange);
    if (!lacking.isEmpty()) {
      ApiResponse.Whole refusal = ApiResponse.refused(Exchange.tooMany(lacking));
      streamed.body().onRefused(refusal);
      send(refusal, request, response, callback);
      return;
    }
    ResponseStream sink = new ResponseStream(request, response, exchange, limits.idleTime());
    open.put(sink, true);
    try {
      head(streamed, response);
      if (!streamed.body().isFinite()) {
        sink.write(new byte[0]);
      }
      streamed.body().writeTo(sink);
      response.write(true, null, callback);
    } finally {
      open.remove(sink);
    }
  }

  /** Takes what a streamed response holds; returns of what there are too many, or "". */
  private static String takenBy(ApiResponse.Body body, Exchange exchange) {
    if (body.isFinite()) {
      return exchange.takesMemory(body.memory()) ? "" : "too many long lists wait to be read";
    }
    return exchange.takesStream(body.memory()) ? "" : "too many watches";
  }

  private void upgrade(
      ApiResponse.Upgraded upgraded,
      Request request,
      Response response,
      Callback callback,
      Exchange exchange) {
    WebSocketSession conversation = upgraded.conversation();
    if (!takesPlace(conversation, exchange)) {
      String what = conversation.isInteractive() ? "too many sessions" : "too many watches";
      refuse(upgraded, Exchange.tooMany(what), request, response, callback);
      return;
    }
    exchange.keep();
    JettyWebSocketSession socket =
        new JettyWebSocketSession(
            conversation,
            request.getHttpURI().getPath(),
            upgraded.protocol(),
            limits.idleTime(),
            exchange,
            request.getComponents().getScheduler());
    if (!isTaken(socket, upgraded.protocol(), request, response, callback)) {
      ClusterException refusal =
          new ClusterException(
              Reason.BAD_REQUEST, "unable to upgrade: malformed WebSocket request");
      refuse(upgraded, refusal, request, response, callback);
    }
  }

  /** True if a session begins, whose end is the exchange's; false if the request is malformed. */
  private boolean isTaken(
      JettyWebSocketSession socket,
      String protocol,
      Request request,
      Response response,
      Callback callback) {
    boolean taken = false;
    try {
      taken =
          ServerWebSocketContainer.ensure(getServer())
              .upgrade(
                  (_, accepted, _) -> {
                    if (!protocol.isEmpty()) {
                      accepted.setAcceptedSubProtocol(protocol);
                    }
                    open.put(socket, true);
                    socket.onClose(() -> open.remove(socket));
                    return socket;
                  },
                  request,
                  response,
                  endingIfFailed(socket, callback));
    } catch (HttpException.RuntimeException malformed) {
      LOG.debug("Refused a malformed WebSocket request: {}", malformed.toString());
    } finally {
      if (!taken) {
        socket.run();
      }
    }
    return taken;
  }

  /** Returns a callback that ends a session which never begins: its first answer cannot be sent. */
  private static Callback endingIfFailed(JettyWebSocketSession socket, Callback callback) {
    return Callback.from(
        callback::succeeded,
        failure -> {
          socket.run();
          callback.failed(failure);
        });
  }

  private static boolean takesPlace(WebSocketSession conversation, Exchange exchange) {
    return conversation.isInteractive()
        ? exchange.takesSession()
        : exchange.takesStream(conversation.memory());
  }

  private static void refuse(
      ApiResponse.Upgraded upgraded,
      ClusterException why,
      Request request,
      Response response,
      Callback callback) {
    ApiResponse.Whole refusal = ApiResponse.refused(why);
    upgraded.conversation().onRefused(refusal);
    send(refusal, request, response, callback);
  }

  /** Ends all streamed responses. */
  void endStreams() {
    open.keySet().forEach(Runnable::run);
    checks.shutdown();
  }
}
