package dev.stint.embedded.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.flowcontrol.FlowControlMetrics;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Metrics of flow control have Kubernetes' names and labels. */
class PrometheusFlowControlMetricsTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final FlowControlMetrics metrics = new PrometheusFlowControlMetrics(registry);

  @Test
  void requestsAreCountedBySchemaAndLevel() throws IOException {
    FlowControlMetrics.Series series = metrics.series("service-accounts", "workload-low");
    series.onDispatched(Duration.ZERO);
    series.onQueued();
    series.onQueued();
    series.onUnqueued();
    series.onDispatched(Duration.ofSeconds(3));
    series.onEnded();
    series.onRejected("time-out", Duration.ofSeconds(15));

    String labels = "{flow_schema=\"service-accounts\",priority_level=\"workload-low\"";
    String prefix = "apiserver_flowcontrol_";
    assertThat(text())
        .contains(prefix + "current_inqueue_requests" + labels + "} 1.0")
        .contains(prefix + "current_executing_requests" + labels + "} 1.0")
        .contains(prefix + "dispatched_requests_total" + labels + "} 2.0")
        .contains(prefix + "rejected_requests_total" + labels + ",reason=\"time-out\"} 1.0")
        .contains(
            prefix
                + "request_wait_duration_seconds_count{execute=\"true\","
                + labels.substring(1)
                + "} 2")
        .contains(
            prefix
                + "request_wait_duration_seconds_sum{execute=\"false\","
                + labels.substring(1)
                + "} 15.0");
  }

  @Test
  void seatsAreThoseOfTheLevelsThatThereAre() throws IOException {
    metrics.onConfigured(Map.of("system", 12, "mine", 5));
    metrics.onConfigured(Map.of("system", 13));
    assertThat(text())
        .contains("apiserver_flowcontrol_nominal_limit_seats{priority_level=\"system\"} 13.0")
        .doesNotContain("mine");
  }

  private String text() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    return out.toString(UTF_8);
  }
}
