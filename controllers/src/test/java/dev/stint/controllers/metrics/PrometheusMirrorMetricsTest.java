package dev.stint.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.mirror.MirrorNames;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PrometheusMirrorMetricsTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final PrometheusMirrorMetrics metrics =
      new PrometheusMirrorMetrics(registry, MirrorNames.problems());

  private Map<String, Double> problems() {
    Map<String, Double> problems = new TreeMap<>();
    registry.scrape().stream()
        .filter(CounterSnapshot.class::isInstance)
        .map(CounterSnapshot.class::cast)
        .flatMap(counter -> counter.getDataPoints().stream())
        .forEach(point -> problems.put(reason(point), point.getValue()));
    return problems;
  }

  private static String reason(CounterDataPointSnapshot point) {
    return String.valueOf(point.getLabels().get("reason"));
  }

  /** An increase from 0 to 1 raises the alert; a series that begins with 1 has no increase. */
  @Test
  void eachProblemIsCountedFromZeroOn() {
    assertThat(problems()).containsEntry("CopyRefused", 0.0).containsEntry("DeletionWaits", 0.0);
    metrics.onProblem("CopyRefused");
    assertThat(problems()).hasSize(12).containsEntry("CopyRefused", 1.0);
  }
}
