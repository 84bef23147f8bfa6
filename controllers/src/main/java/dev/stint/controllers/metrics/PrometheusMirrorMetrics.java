package dev.stint.controllers.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Collection;

/** The Prometheus metrics of a mirror. They have no counterpart in Kubernetes. */
public final class PrometheusMirrorMetrics implements MirrorMetrics {
  private final Counter problems;
  private final Gauge workerAway;
  private final Gauge workerPods;

  /**
   * @param registry a registry without metrics of these names
   * @param problems the reasons for which Jobs may not be mirrored. Each is counted from 0 on: an
   *     alert on an increase does not see a series that begins with 1.
   */
  public PrometheusMirrorMetrics(PrometheusRegistry registry, Collection<String> problems) {
    this.problems =
        Counter.builder()
            .name("stint_mirror_problems_total")
            .help("How often a Job could not be mirrored, by the reason of its condition")
            .labelNames("reason")
            .register(registry);
    problems.forEach(this.problems::initLabelValues);
    workerAway =
        Gauge.builder()
            .name("stint_mirror_worker_away")
            .help("1 if a worker cluster does not answer or refuses the mirror's credentials")
            .labelNames("worker")
            .register(registry);
    workerPods =
        Gauge.builder()
            .name("stint_mirror_worker_pods")
            .help("How many pods the unfinished Jobs of one of several workers may run at once")
            .labelNames("worker")
            .register(registry);
  }

  @Override
  public void onProblem(String reason) {
    problems.labelValues(reason).inc();
  }

  @Override
  public void onWorkerHealth(String worker, boolean away) {
    workerAway.labelValues(worker).set(away ? 1 : 0);
  }

  @Override
  public void onWorkerPods(String worker, long pods) {
    workerPods.labelValues(worker).set((double) pods);
  }
}
