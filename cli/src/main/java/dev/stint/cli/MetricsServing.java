package dev.stint.cli;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.PrometheusMetrics;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.MetricsEndpoint;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What {@code --metrics-listen} asks for. Nothing is counted where nobody asks. */
final class MetricsServing implements AutoCloseable {
  private final @Nullable InetSocketAddress address;
  private final @Nullable PrometheusRegistry registry;
  private final Metrics metrics;
  private @Nullable MetricsEndpoint endpoint;

  /**
   * @param address null for nowhere
   */
  MetricsServing(@Nullable InetSocketAddress address) {
    this.address = address;
    this.registry = address == null ? null : new PrometheusRegistry();
    this.metrics =
        registry == null ? Metrics.NONE : new PrometheusMetrics(registry, InstantSource.system());
  }

  /** What the controllers report to. */
  Metrics metrics() {
    return metrics;
  }

  /**
   * Starts to serve, and says where, if that was asked for.
   *
   * @throws UserException where the address can't be had
   */
  void open(ControlPlane plane, Console console) {
    if (address == null || registry == null) {
      return;
    }
    try {
      MetricsEndpoint open =
          MetricsEndpoint.open(
              address, registry, () -> !plane.failure().isDone(), () -> !plane.failure().isDone());
      endpoint = open;
      console.say("metrics: http://%s:%d/metrics".formatted(address.getHostString(), open.port()));
    } catch (IOException taken) {
      throw new UserException(
          "--metrics-listen %s:%d: %s; port 0 takes any free one"
              .formatted(address.getHostString(), address.getPort(), taken.getMessage()));
    }
  }

  @Override
  public void close() {
    if (endpoint != null) {
      endpoint.close();
    }
  }
}
