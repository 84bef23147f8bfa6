package dev.stint.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stint.apiserver.http.Site;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves metrics for Prometheus under {@code /metrics}, and the probes {@code /healthz} and {@code
 * /readyz}. Plain HTTP, no authentication: for loopback, or an isolated network.
 */
public final class MetricsEndpoint implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";

  private final HttpServer server;
  private final @Nullable SiteHandler site;

  private MetricsEndpoint(HttpServer server, @Nullable SiteHandler site) {
    this.server = server;
    this.site = site;
  }

  /** Starts to serve the metrics and the probes alone. */
  public static MetricsEndpoint open(
      InetSocketAddress address,
      PrometheusRegistry registry,
      BooleanSupplier healthy,
      BooleanSupplier ready)
      throws IOException {
    return open(address, registry, healthy, ready, null);
  }

  /**
   * Starts to serve.
   *
   * @param address port 0 selects a free one
   * @param healthy the result of {@code /healthz}
   * @param ready the result of {@code /readyz}
   * @param site an additional site to serve; null for none
   * @throws IOException if the address is taken, or not this machine's
   */
  public static MetricsEndpoint open(
      InetSocketAddress address,
      PrometheusRegistry registry,
      BooleanSupplier healthy,
      BooleanSupplier ready,
      @Nullable Site site)
      throws IOException {
    ExpositionFormats formats = ExpositionFormats.init();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(address.getHostString(), address.getPort()), 16);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> answer(exchange, 404, "not found; see /metrics"));
    server.createContext("/healthz", exchange -> probe(exchange, healthy));
    server.createContext("/readyz", exchange -> probe(exchange, ready));
    server.createContext("/metrics", exchange -> metrics(exchange, formats, registry));
    SiteHandler handler = site == null ? null : new SiteHandler(site);
    if (site != null && handler != null) {
      server.createContext(site.root(), handler);
    }
    server.start();
    return new MetricsEndpoint(server, handler);
  }

  /** Returns the port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private static void metrics(
      HttpExchange exchange, ExpositionFormats formats, PrometheusRegistry registry)
      throws IOException {
    ExpositionFormatWriter writer =
        formats.findWriter(exchange.getRequestHeaders().getFirst("Accept"));
    exchange.getResponseHeaders().set("Content-Type", writer.getContentType());
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream body = exchange.getResponseBody()) {
      writer.write(body, registry.scrape());
    }
  }

  private static void probe(HttpExchange exchange, BooleanSupplier well) throws IOException {
    boolean holds = well.getAsBoolean();
    answer(exchange, holds ? 200 : 503, holds ? "ok" : "not ready");
  }

  private static void answer(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", TEXT);
    exchange.sendResponseHeaders(code, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    if (site != null) {
      site.close();
    }
    server.stop(0);
  }
}
