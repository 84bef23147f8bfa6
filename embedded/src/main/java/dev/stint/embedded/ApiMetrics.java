package dev.stint.embedded;

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
            .help("Requests over the wire, by what was asked and the code of the answer")
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
  public void answered(Asked asked, int code) {
    requests
        .labelValues(
            asked.verb(),
            asked.dryRun() ? "All" : "",
            asked.group(),
            asked.version(),
            asked.resource(),
            asked.subresource(),
            asked.scope(),
            "apiserver",
            Integer.toString(code))
        .inc();
  }
}
