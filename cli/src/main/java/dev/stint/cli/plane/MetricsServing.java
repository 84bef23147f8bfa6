package dev.stint.cli.plane;

import dev.stint.apiserver.http.RequestMetrics;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.target.RemoteLogs;
import dev.stint.cluster.Timers;
import dev.stint.console.ConsoleOptions;
import dev.stint.console.ConsoleSite;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.controllers.metrics.PrometheusMetrics;
import dev.stint.controllers.metrics.PrometheusMirrorMetrics;
import dev.stint.embedded.ApiMetrics;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.MetricsEndpoint;
import dev.stint.kube.KubeCluster;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What {@code --metrics-listen} asks for. Nothing is counted where nobody asks. */
public final class MetricsServing implements AutoCloseable {
  private final @Nullable InetSocketAddress address;
  private final @Nullable PrometheusRegistry registry;
  private final Metrics metrics;
  private @Nullable MetricsEndpoint endpoint;
  private @Nullable ConsoleSite site;

  /**
   * @param address null for nowhere
   */
  public MetricsServing(@Nullable InetSocketAddress address) {
    this.address = address;
    this.registry = address == null ? null : new PrometheusRegistry();
    this.metrics =
        registry == null ? Metrics.NONE : new PrometheusMetrics(registry, InstantSource.system());
  }

  /**
   * Has a cluster's Jobs shown beside the metrics, to be looked at only.
   *
   * @param cluster where the Jobs are
   */
  public void show(KubeCluster cluster, Timers timers, Console console) {
    site =
        new ConsoleSite(
            new ConsoleOptions(
                cluster.url(),
                cluster,
                null,
                (namespace, _) -> new RemoteLogs(cluster, namespace),
                true,
                false,
                InstantSource.system(),
                timers,
                path -> announce(path, console)));
  }

  private void announce(String path, Console console) {
    MetricsEndpoint open = endpoint;
    if (address != null && open != null) {
      console.say("console: http://%s:%d%s".formatted(address.getHostString(), open.port(), path));
    }
  }

  /** What the controllers report to. */
  public Metrics metrics() {
    return metrics;
  }

  /**
   * Starts to serve, and says where, if that was asked for.
   *
   * @throws UserException where the address can't be had
   */
  public void open(ControlPlane plane, Console console) {
    BooleanSupplier writes = () -> !plane.failure().isDone();
    open(writes, writes, console);
  }

  /** The same, for what is healthy and ready by other signs. */
  public void open(BooleanSupplier healthy, BooleanSupplier ready, Console console) {
    if (address == null || registry == null) {
      return;
    }
    try {
      MetricsEndpoint open = MetricsEndpoint.open(address, registry, healthy, ready, site);
      endpoint = open;
      console.say("metrics: http://%s:%d/metrics".formatted(address.getHostString(), open.port()));
      if (site != null) {
        site.open();
      }
    } catch (IOException taken) {
      throw new UserException(
          "--metrics-listen %s:%d: %s; port 0 takes any free one"
              .formatted(address.getHostString(), address.getPort(), taken.getMessage()));
    }
  }

  /**
   * Tells who leads, by the name that Kubernetes' components have for it.
   *
   * @param name of what works where this process leads
   */
  public void leader(String name, BooleanSupplier leading) {
    if (registry != null) {
      GaugeWithCallback.builder()
          .name("leader_election_master_status")
          .help("Whether this process leads: 1 for yes, 0 for no")
          .labelNames("name")
          .callback(gauge -> gauge.call(leading.getAsBoolean() ? 1 : 0, name))
          .register(registry);
    }
  }

  /** What an API that is served here reports to. */
  public RequestMetrics requests() {
    return registry == null ? RequestMetrics.NONE : new ApiMetrics(registry);
  }

  /** What a mirror reports to. */
  public MirrorMetrics mirror() {
    return registry == null ? MirrorMetrics.NONE : new PrometheusMirrorMetrics(registry);
  }

  @Override
  public void close() {
    if (endpoint != null) {
      endpoint.close();
    }
  }
}
