package dev.stint.embedded.metrics;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.WebApp;
import dev.stint.apiserver.http.server.HttpLimits;
import dev.stint.apiserver.http.server.HttpServer;
import dev.stint.apiserver.http.server.JettyAdapter;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves metrics for Prometheus under {@code /metrics}, and the probes {@code /healthz} and {@code
 * /readyz}. Plain HTTP, no authentication: for loopback, or an isolated network. It has the limits
 * of the API's server.
 */
public final class MetricsEndpoint implements AutoCloseable {
  private final HttpServer server;

  private MetricsEndpoint(HttpServer server) {
    this.server = server;
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
      @Nullable WebApp site)
      throws IOException {
    HttpLimits limits = HttpLimits.ofThisMachine();
    HttpServer server = HttpServer.plain(address, limits);
    server.start(
        JettyAdapter.ofPages(
            new Pages(ExpositionFormats.init(), registry, healthy, ready, site), limits));
    return new MetricsEndpoint(server);
  }

  /** Returns the port that it listens on. */
  public int port() {
    return server.port();
  }

  /** The pages of the endpoint, by their paths. */
  private record Pages(
      ExpositionFormats formats,
      PrometheusRegistry registry,
      BooleanSupplier healthy,
      BooleanSupplier ready,
      @Nullable WebApp site)
      implements RequestFilter {
    @Override
    public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
      if (site != null && site.has(call.path())) {
        return site.answer(call);
      }
      call.body().identify(User.ANONYMOUS);
      return switch (call.path()) {
        case "/healthz" -> probe(healthy);
        case "/readyz" -> probe(ready);
        case "/metrics" -> metrics(call.headers().apply("Accept"));
        default -> ApiResponse.text(404, "not found; see /metrics");
      };
    }

    private ApiResponse metrics(@Nullable String accept) throws IOException {
      ExpositionFormatWriter writer = formats.findWriter(accept);
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      writer.write(body, registry.scrape());
      return new ApiResponse.Whole(200, writer.getContentType(), body.toByteArray(), List.of());
    }

    private static ApiResponse probe(BooleanSupplier well) {
      boolean holds = well.getAsBoolean();
      return ApiResponse.text(holds ? 200 : 503, holds ? "ok" : "not ready");
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
