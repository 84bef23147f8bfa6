package dev.stint.embedded.metrics;

import dev.stint.apiserver.flowcontrol.FlowControlMetrics;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;

/** Metrics of API Priority and Fairness under the names and labels of Kubernetes. */
public final class PrometheusFlowControlMetrics implements FlowControlMetrics {
  private static final double NANOS = 1e9;
  private static final String SCHEMA = "flow_schema";
  private static final String LEVEL = "priority_level";

  private final Gauge waiting;
  private final Gauge executing;
  private final Counter dispatched;
  private final Counter rejected;
  private final Histogram waits;
  private final Gauge seats;

  /**
   * @param registry in which the names are not taken
   */
  public PrometheusFlowControlMetrics(PrometheusRegistry registry) {
    waiting =
        Gauge.builder()
            .name("apiserver_flowcontrol_current_inqueue_requests")
            .help("Requests that wait for their turn")
            .labelNames(SCHEMA, LEVEL)
            .register(registry);
    executing =
        Gauge.builder()
            .name("apiserver_flowcontrol_current_executing_requests")
            .help("Requests that are being carried out, watches while they begin")
            .labelNames(SCHEMA, LEVEL)
            .register(registry);
    dispatched =
        Counter.builder()
            .name("apiserver_flowcontrol_dispatched_requests_total")
            .help("Requests that have been carried out")
            .labelNames(SCHEMA, LEVEL)
            .register(registry);
    rejected =
        Counter.builder()
            .name("apiserver_flowcontrol_rejected_requests_total")
            .help("Requests that were answered 429, by reason")
            .labelNames(SCHEMA, LEVEL, "reason")
            .register(registry);
    waits =
        Histogram.builder()
            .name("apiserver_flowcontrol_request_wait_duration_seconds")
            .help("The time that requests waited, by whether they were carried out in the end")
            .labelNames(SCHEMA, LEVEL, "execute")
            .classicOnly()
            .classicUpperBounds(0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30)
            .register(registry);
    seats =
        Gauge.builder()
            .name("apiserver_flowcontrol_nominal_limit_seats")
            .help("The seats of a priority level of its own")
            .labelNames(LEVEL)
            .register(registry);
  }

  @Override
  public void onConfigured(Map<String, Integer> nominalSeats) {
    seats.clear();
    nominalSeats.forEach((level, own) -> seats.labelValues(level).set(own));
  }

  @Override
  public Series series(String schema, String level) {
    return new OfSchema(schema, level);
  }

  private final class OfSchema implements Series {
    private final String schema;
    private final String level;
    private final GaugeDataPoint inQueue;
    private final GaugeDataPoint atWork;
    private final CounterDataPoint begun;
    private final DistributionDataPoint waited;

    OfSchema(String schema, String level) {
      this.schema = schema;
      this.level = level;
      this.inQueue = waiting.labelValues(schema, level);
      this.atWork = executing.labelValues(schema, level);
      this.begun = dispatched.labelValues(schema, level);
      this.waited = waits.labelValues(schema, level, "true");
    }

    @Override
    public void onQueued() {
      inQueue.inc();
    }

    @Override
    public void onUnqueued() {
      inQueue.dec();
    }

    @Override
    public void onDispatched(Duration time) {
      begun.inc();
      atWork.inc();
      waited.observe(time.toNanos() / NANOS);
    }

    @Override
    public void onRejected(String reason, Duration time) {
      rejected.labelValues(schema, level, reason).inc();
      waits.labelValues(schema, level, "false").observe(time.toNanos() / NANOS);
    }

    @Override
    public void onEnded() {
      atWork.dec();
    }
  }
}
