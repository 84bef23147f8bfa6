package dev.stint.embedded;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Site;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves a {@link Site} over the JDK's own server. */
final class SiteHandler implements HttpHandler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SiteHandler.class);
  private static final int LONGEST_BODY = 1 << 20;

  private final Site site;
  private final Set<Stream> open = ConcurrentHashMap.newKeySet();

  SiteHandler(Site site) {
    this.site = site;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      switch (answer(exchange)) {
        case ApiResponse.Whole whole -> send(exchange, whole);
        case ApiResponse.Streamed streamed -> stream(exchange, streamed);
        case ApiResponse.Upgraded _ -> throw new IllegalStateException("nothing is upgraded here");
      }
    }
  }

  private ApiResponse answer(HttpExchange exchange) throws IOException {
    try {
      return site.answer(call(exchange));
    } catch (ClusterException refusal) {
      return ApiResponse.refused(refusal);
    } catch (RuntimeException fault) {
      LOG.error(
          "Cannot answer {} {}", exchange.getRequestMethod(), exchange.getRequestURI(), fault);
      return ApiResponse.refused(
          new ClusterException(Reason.INTERNAL, "Internal error occurred: see the log"));
    }
  }

  private static Call call(HttpExchange exchange) {
    return Call.anonymous(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        exchange.getRequestURI().getRawQuery(),
        name -> exchange.getRequestHeaders().getFirst(name),
        () -> body(exchange));
  }

  private static byte[] body(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
    if (body.length > LONGEST_BODY) {
      throw new ClusterException(Reason.TOO_LARGE, "the request is too large");
    }
    return body;
  }

  private static void head(HttpExchange exchange, ApiResponse reply) {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", reply.type());
    headers.set("Cache-Control", "no-cache, private");
    reply.headers().forEach(header -> headers.add(header.name(), header.value()));
  }

  private static void send(HttpExchange exchange, ApiResponse.Whole whole) throws IOException {
    head(exchange, whole);
    boolean bodiless = exchange.getRequestMethod().equals("HEAD") || whole.body().length == 0;
    exchange.sendResponseHeaders(whole.code(), bodiless ? -1 : whole.body().length);
    if (!bodiless) {
      exchange.getResponseBody().write(whole.body());
    }
  }

  private void stream(HttpExchange exchange, ApiResponse.Streamed streamed) throws IOException {
    head(exchange, streamed);
    exchange.sendResponseHeaders(streamed.code(), 0);
    Stream stream = new Stream(exchange.getResponseBody());
    open.add(stream);
    try {
      streamed.body().writeTo(stream);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(stream);
      stream.close();
    }
  }

  @Override
  public void close() {
    open.forEach(Stream::close);
  }

  /** A streamed response. A client's disconnect is noticed only by a write. */
  private static final class Stream implements ApiResponse.Sink {
    private final OutputStream out;
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    Stream(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      try {
        out.write(bytes);
        out.flush();
      } catch (IOException gone) {
        close();
        throw gone;
      }
    }

    @Override
    public void onClose(Runnable task) {
      tasks.add(task);
      if (closed) {
        task.run();
      }
    }

    void close() {
      closed = true;
      tasks.forEach(Runnable::run);
    }
  }
}
