package dev.stint.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * A proxy in front of an API: plain HTTP on the loopback interface. It records requests, and
 * injects faults.
 */
final class FaultyApi implements AutoCloseable {
  /** The fate of a request. */
  enum Fault {
    /** It is forwarded, and so is the answer. */
    NONE,
    /** The connection is refused. */
    AWAY,
    /** It is carried out, but the answer is lost. */
    ANSWER_LOST,
    /** It is not carried out: 429. */
    TOO_MANY,
    /** It is not carried out: a server error. */
    UNAVAILABLE,
    /** It is carried out, but answered with a server error. */
    FALSE_ALARM,
    /** It is carried out late. */
    SLOW
  }

  private static final long SLOW_MILLIS = 100;

  private final HttpServer server;
  private final HttpClient client;
  private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<InputStream> watches = new ConcurrentLinkedQueue<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final String api;
  private final String token;

  /** The method, the path and the fate of all requests except watches. */
  final Queue<String> requests = new ConcurrentLinkedQueue<>();

  private volatile Supplier<Fault> fault = () -> Fault.NONE;

  FaultyApi(String api, String token, SSLContext tls) throws IOException {
    this.api = api;
    this.token = token;
    this.client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(handlers);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Sets the fate of requests from now on; watches lose their connections. */
  void fail(Supplier<Fault> next) throws IOException {
    fault = next;
    for (InputStream watch = watches.poll(); watch != null; watch = watches.poll()) {
      watch.close();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    Fault becomes = fault.get();
    String uri = exchange.getRequestURI().toString();
    boolean watch = uri.contains("watch=true");
    if (!watch) {
      requests.add(exchange.getRequestMethod() + " " + uri + " " + becomes);
    }
    byte[] body = exchange.getRequestBody().readAllBytes();
    try (exchange) {
      switch (becomes) {
        case AWAY -> {}
        case TOO_MANY -> {
          exchange.getResponseHeaders().set("Retry-After", "0");
          exchange.sendResponseHeaders(429, -1);
        }
        case UNAVAILABLE -> exchange.sendResponseHeaders(503, -1);
        default -> pass(exchange, body, becomes, watch);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void pass(HttpExchange exchange, byte[] body, Fault becomes, boolean watch)
      throws IOException, InterruptedException {
    if (becomes == Fault.SLOW && closed.await(SLOW_MILLIS, TimeUnit.MILLISECONDS)) {
      return;
    }
    HttpResponse<InputStream> answer =
        client.send(request(exchange, body), BodyHandlers.ofInputStream());
    try (InputStream in = answer.body()) {
      switch (becomes) {
        case ANSWER_LOST -> {}
        case FALSE_ALARM -> exchange.sendResponseHeaders(500, -1);
        default -> answer(exchange, answer.statusCode(), in, watch);
      }
    }
  }

  private HttpRequest request(HttpExchange exchange, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(api + exchange.getRequestURI()))
            .header("Authorization", "Bearer " + token)
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    List<String> types = exchange.getRequestHeaders().get("Content-Type");
    if (types != null) {
      request.header("Content-Type", types.getFirst());
    }
    return request.build();
  }

  private void answer(HttpExchange exchange, int code, InputStream in, boolean watch)
      throws IOException {
    exchange.sendResponseHeaders(code, 0);
    if (watch) {
      watches.add(in);
    }
    OutputStream out = exchange.getResponseBody();
    out.flush();
    byte[] buffer = new byte[1 << 16];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      out.write(buffer, 0, read);
      out.flush();
    }
    out.close();
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    fail(() -> Fault.AWAY);
    server.stop(0);
    handlers.shutdownNow();
    client.shutdownNow();
  }
}
