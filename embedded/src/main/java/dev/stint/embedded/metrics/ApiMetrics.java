package dev.stint.embedded.metrics;

import dev.stint.apiserver.http.RequestMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts requests to the API under the metric name and labels of Kubernetes. */
public final class ApiMetrics implements RequestMetrics {
  private final Counter requests;

  /**
   * @param registry in which the name is not taken
   */
  public ApiMetrics(PrometheusRegistry registry) {
    requests =
        Counter.builder()
            .name("apiserver_request_total")
            .help("Requests over HTTP, by verb, resource and response code")
            .labelNames(
                "verb",
                "dry_run",
                "group",
                "version",
                "resource",
                "subresource",
                "scope",
                "component",
                "code")
            .register(registry);
  }

  @Override
  public void onAnswer(Labels labels, int code) {
    requests
        .labelValues(
            labels.verb(),
            labels.dryRun() ? "All" : "",
            labels.group(),
            labels.version(),
            labels.resource(),
            labels.subresource(),
            labels.scope(),
            "apiserver",
            Integer.toString(code))
        .inc();
  }
}
