package dev.stint.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.reconcile.QueueMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrometheusMetricsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private Instant now = NOW;
  private final PrometheusMetrics metrics = new PrometheusMetrics(registry, () -> now);

  private <T extends MetricSnapshot> T named(String name, Class<T> type) {
    return registry.scrape().stream()
        .filter(each -> each.getMetadata().getPrometheusName().equals(name))
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + name));
  }

  private double counted(String name, String... labels) {
    return named(name, CounterSnapshot.class).getDataPoints().stream()
        .filter(point -> point.getLabels().equals(Labels.of(labels)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is none for " + List.of(labels)))
        .getValue();
  }

  @Test
  @Covers("TR-30")
  void syncsAreCountedAndTimed() {
    metrics.jobs().onSync(true, JobMetrics.SyncAction.tracking, true, Duration.ofMillis(20));
    metrics.jobs().onSync(true, JobMetrics.SyncAction.tracking, false, Duration.ofMillis(20));
    for (String result : List.of("success", "error")) {
      assertThat(
              counted(
                  "job_controller_job_syncs",
                  "completion_mode",
                  "Indexed",
                  "result",
                  result,
                  "action",
                  "tracking"))
          .isEqualTo(1);
    }
    HistogramSnapshot durations =
        named("job_controller_job_sync_duration_seconds", HistogramSnapshot.class);
    assertThat(durations.getDataPoints()).hasSize(2);
    assertThat(durations.getDataPoints().getFirst().getSum()).isEqualTo(0.02);
    assertThat(durations.getMetadata().getHelp()).isNotEmpty();
    assertThat(durations.getMetadata().getUnit()).hasToString("seconds");
  }

  @Test
  @Covers({"BI-46", "BI-47"})
  void indexesAreCountedByStatusAndLimit() {
    metrics.jobs().onIndexesFinished(true, 2, 1);
    metrics.jobs().onIndexesFinished(false, 3, 0);
    String name = "job_controller_job_finished_indexes";
    assertThat(counted(name, "status", "succeeded", "backoffLimit", "perIndex")).isEqualTo(2);
    assertThat(counted(name, "status", "failed", "backoffLimit", "perIndex")).isEqualTo(1);
    assertThat(counted(name, "status", "succeeded", "backoffLimit", "global")).isEqualTo(3);
  }

  @Test
  void namesOfExternalControllersHaveAHundredSeriesAndOneMore() {
    for (int i = 0; i < 2000; i++) {
      metrics.jobs().onForeignJob("example.com/c" + i);
    }
    String name = "job_controller_jobs_by_external_controller";
    assertThat(named(name, CounterSnapshot.class).getDataPoints()).hasSize(101);
    assertThat(counted(name, "controller_name", "example.com/c99")).isEqualTo(1);
    assertThat(counted(name, "controller_name", "other")).isEqualTo(1900);
  }

  @Test
  void queueMetricsShowUnfinishedWork() {
    QueueMetrics queue = metrics.queue("job");
    queue.onAdd();
    queue.onAdd();
    queue.onStart("a", Duration.ofSeconds(2));
    now = NOW.plusSeconds(7);
    assertThat(gauge("workqueue_depth")).isEqualTo(1);
    assertThat(gauge("workqueue_unfinished_work_seconds")).isEqualTo(7);
    assertThat(gauge("workqueue_longest_running_processor_seconds")).isEqualTo(7);
    queue.onDone("a", Duration.ofSeconds(7));
    assertThat(gauge("workqueue_unfinished_work_seconds")).isEqualTo(0);
    assertThat(counted("workqueue_adds", "name", "job")).isEqualTo(2);
  }

  private double gauge(String name) {
    return named(name, GaugeSnapshot.class).getDataPoints().getFirst().getValue();
  }
}
