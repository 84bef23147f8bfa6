package dev.stint.cli.plane;

import dev.stint.apiserver.flowcontrol.FlowControlMetrics;
import dev.stint.apiserver.http.RequestMetrics;
import dev.stint.cli.location.RemoteLogs;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Timers;
import dev.stint.console.ConsoleApp;
import dev.stint.console.ConsoleOptions;
import dev.stint.console.signin.SignInToken;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.controllers.metrics.PrometheusMetrics;
import dev.stint.controllers.metrics.PrometheusMirrorMetrics;
import dev.stint.controllers.mirror.MirrorNames;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.RandomGenerators;
import dev.stint.embedded.metrics.ApiMetrics;
import dev.stint.embedded.metrics.MetricsEndpoint;
import dev.stint.embedded.metrics.PrometheusFlowControlMetrics;
import dev.stint.kube.KubeCluster;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves metrics as {@code --metrics-listen} asks for. Without that flag, nothing is counted. */
public final class MetricsServing implements AutoCloseable {
  private final @Nullable InetSocketAddress address;
  private final @Nullable PrometheusRegistry registry;
  private final Metrics metrics;
  private @Nullable MetricsEndpoint endpoint;
  private @Nullable ConsoleApp site;
  private boolean announced;

  /**
   * @param address null to serve nothing
   */
  public MetricsServing(@Nullable InetSocketAddress address) {
    this.address = address;
    this.registry = address == null ? null : new PrometheusRegistry();
    this.metrics =
        registry == null ? Metrics.NONE : new PrometheusMetrics(registry, InstantSource.system());
  }

  /**
   * Adds a read-only console of a cluster's Jobs to the metrics endpoint.
   *
   * @param cluster the cluster of the Jobs
   * @param token a file with a token to sign in with; null if there is none
   */
  public void serveConsole(
      KubeCluster cluster, Timers timers, @Nullable Path token, Console console) {
    SignInToken tokens = token == null ? null : new SignInToken(token);
    String obstacle = tokens == null ? null : tokens.obstacle();
    if (obstacle != null) {
      console.say("--console-token-file %s: %s, so it signs nobody in".formatted(token, obstacle));
    }
    site =
        new ConsoleApp(
            new ConsoleOptions(
                cluster.url(),
                cluster,
                null,
                (namespace, _) -> new RemoteLogs(cluster, namespace),
                true,
                false,
                InstantSource.system(),
                timers,
                RandomGenerators::unpredictable,
                null,
                path -> announce(path, console)),
            tokens == null ? _ -> false : tokens);
  }

  private void announce(String path, Console console) {
    MetricsEndpoint open = endpoint;
    if (address == null || open == null) {
      return;
    }
    String url = "http://%s:%d".formatted(address.getHostString(), open.port());
    if (console.terminal()) {
      console.say("console: " + url + path);
    } else if (!announced) {
      announced = true; // A log keeps the link, and others may read it.
      console.say(
          "console: %s/console (links are printed on terminals only; elsewhere sign in with the token of"
                  .formatted(url)
              + " --console-token-file)");
    }
  }

  /** True if there is an address to serve on. */
  public boolean isWanted() {
    return address != null;
  }

  /** Returns the metrics of the controllers. */
  public Metrics metrics() {
    return metrics;
  }

  /**
   * Starts to serve, and prints the address, if the flag is set.
   *
   * @throws UserException if the address is not available
   */
  public void open(ControlPlane plane, Console console) {
    BooleanSupplier writes = () -> !plane.failure().isDone();
    open(writes, writes, console);
  }

  /** Starts to serve, with other signs of health and readiness. */
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
          "--metrics-listen %s:%d: %s; port 0 picks a free port"
              .formatted(address.getHostString(), address.getPort(), taken.getMessage()));
    }
  }

  /**
   * Reports whether this process leads, by the metric name of Kubernetes' components.
   *
   * @param name the name of the part that the leader runs
   */
  public void reportLeadership(String name, BooleanSupplier leading) {
    if (registry != null) {
      GaugeWithCallback.builder()
          .name("leader_election_master_status")
          .help("Whether this process leads: 1 for yes, 0 for no")
          .labelNames("name")
          .callback(gauge -> gauge.call(leading.getAsBoolean() ? 1 : 0, name))
          .register(registry);
    }
  }

  /** Reports which of so many shards of the Jobs this process holds. */
  public void reportShards(int count, Supplier<Set<Integer>> held) {
    if (registry != null) {
      GaugeWithCallback.builder()
          .name("stint_shards_held")
          .help("Number of shards of the Jobs that this process holds")
          .callback(gauge -> gauge.call(held.get().size()))
          .register(registry);
      GaugeWithCallback.builder()
          .name("stint_shard_held")
          .help("Whether this process holds a shard of the Jobs: 1 for yes, 0 for no")
          .labelNames("shard")
          .callback(gauge -> reportEach(gauge, count, held.get()))
          .register(registry);
    }
  }

  private static void reportEach(GaugeWithCallback.Callback gauge, int count, Set<Integer> held) {
    for (int shard = 0; shard < count; shard++) {
      gauge.call(held.contains(shard) ? 1 : 0, Integer.toString(shard));
    }
  }

  /** Returns the metrics of an API that is served here. */
  public RequestMetrics requestMetrics() {
    return registry == null ? RequestMetrics.NONE : new ApiMetrics(registry);
  }

  /** Returns the metrics of the flow control of an API that is served here. */
  public FlowControlMetrics flowControlMetrics() {
    return registry == null ? FlowControlMetrics.NONE : new PrometheusFlowControlMetrics(registry);
  }

  /** Returns the metrics of a mirror. */
  public MirrorMetrics mirrorMetrics() {
    return registry == null
        ? MirrorMetrics.NONE
        : new PrometheusMirrorMetrics(registry, MirrorNames.problems());
  }

  @Override
  public void close() {
    if (endpoint != null) {
      endpoint.close();
    }
  }
}
