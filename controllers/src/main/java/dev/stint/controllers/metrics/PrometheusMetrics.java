package dev.stint.controllers.metrics;

import dev.stint.reconcile.QueueMetrics;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Prometheus metrics, by their names and labels in Kubernetes 1.36. */
public final class PrometheusMetrics implements Metrics {
  private final JobMetrics jobs;
  private final Queues queues;

  /**
   * @param registry a registry without metrics of these names
   * @param clock the clock that measures work in progress
   */
  public PrometheusMetrics(PrometheusRegistry registry, InstantSource clock) {
    this.jobs = new Jobs(registry);
    this.queues = new Queues(registry, clock);
  }

  @Override
  public JobMetrics jobs() {
    return jobs;
  }

  @Override
  public QueueMetrics queue(String name) {
    return queues.new Queue(name);
  }

  private static Counter counter(
      PrometheusRegistry registry, String name, String help, String... labels) {
    return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  private static Histogram seconds(
      PrometheusRegistry registry,
      String name,
      String help,
      double first,
      double factor,
      int count,
      String... labels) {
    return Histogram.builder()
        .name(name)
        .unit(Unit.SECONDS)
        .help(help)
        .labelNames(labels)
        .classicOnly()
        .classicExponentialUpperBounds(first, factor, count)
        .register(registry);
  }

  private static double inSeconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static final class Jobs implements JobMetrics {
    private static final String PREFIX = "job_controller_";

    private final Histogram syncDuration;
    private final Counter syncs;
    private final Counter finished;
    private final Counter podsFinished;
    private final Counter podsCreation;
    private final Counter indexesFinished;
    private final Counter external;
    private final BoundedLabel externalNames = new BoundedLabel();
    private final Counter failuresHandled;
    private final CounterDataPoint finalizerAdded;
    private final CounterDataPoint finalizerDeleted;

    Jobs(PrometheusRegistry registry) {
      syncDuration =
          seconds(
              registry,
              PREFIX + "job_sync_duration_seconds",
              "The time it took to sync a job",
              0.004,
              2,
              15,
              "completion_mode",
              "result",
              "action");
      syncs =
          counter(
              registry,
              PREFIX + "job_syncs_total",
              "The number of job syncs",
              "completion_mode",
              "result",
              "action");
      finished =
          counter(
              registry,
              PREFIX + "jobs_finished_total",
              "The number of finished jobs",
              "completion_mode",
              "result",
              "reason");
      podsFinished =
          counter(
              registry,
              PREFIX + "job_pods_finished_total",
              "The number of finished Pods that are fully tracked",
              "completion_mode",
              "result");
      podsCreation =
          counter(
              registry,
              PREFIX + "job_pods_creation_total",
              "The number of Pods created by the Job controller, by reason for the creation and"
                  + " by whether it held",
              "reason",
              "status");
      indexesFinished =
          counter(
              registry,
              PREFIX + "job_finished_indexes_total",
              "The number of finished indexes, by status and by whether failures are limited per"
                  + " index (perIndex) or over the Job (global)",
              "status",
              "backoffLimit");
      external =
          counter(
              registry,
              PREFIX + "jobs_by_external_controller_total",
              "The number of Jobs managed by an external controller; of the names that Jobs give,"
                  + " the first %d are told apart, and the others are one, other"
                      .formatted(BoundedLabel.MOST),
              "controller_name");
      failuresHandled =
          counter(
              registry,
              PREFIX + "pod_failures_handled_by_failure_policy_total",
              "The number of failed Pods handled by a rule of a pod failure policy, by its action",
              "action");
      Counter finalizers =
          counter(
              registry,
              PREFIX + "terminated_pods_tracking_finalizer_total",
              "The number of terminated pods (phase=Failed|Succeeded) that have the finalizer"
                  + " batch.kubernetes.io/job-tracking; event is add where one comes to be so, and"
                  + " delete where it loses the finalizer",
              "event");
      finalizerAdded = finalizers.labelValues(FinalizerEvent.add.name());
      finalizerDeleted = finalizers.labelValues(FinalizerEvent.delete.name());
    }

    private static String mode(boolean indexed) {
      return indexed ? "Indexed" : "NonIndexed";
    }

    @Override
    public void onSync(boolean indexed, SyncAction action, boolean success, Duration took) {
      String result = success ? "success" : "error";
      syncs.labelValues(mode(indexed), result, action.name()).inc();
      syncDuration.labelValues(mode(indexed), result, action.name()).observe(inSeconds(took));
    }

    @Override
    public void onJobFinished(boolean indexed, boolean complete, String reason) {
      finished.labelValues(mode(indexed), complete ? "succeeded" : "failed", reason).inc();
    }

    @Override
    public void onPodsFinished(boolean indexed, int succeeded, int failed) {
      count(podsFinished, succeeded, mode(indexed), "succeeded");
      count(podsFinished, failed, mode(indexed), "failed");
    }

    @Override
    public void onPodCreation(CreationReason reason, boolean success) {
      podsCreation.labelValues(reason.label(), success ? "succeeded" : "failed").inc();
    }

    @Override
    public void onTerminatedPod(FinalizerEvent event) {
      (event == FinalizerEvent.add ? finalizerAdded : finalizerDeleted).inc();
    }

    @Override
    public void onIndexesFinished(boolean perIndex, int succeeded, int failed) {
      String limit = perIndex ? "perIndex" : "global";
      count(indexesFinished, succeeded, "succeeded", limit);
      count(indexesFinished, failed, "failed", limit);
    }

    @Override
    public void onForeignJob(String controllerName) {
      external.labelValues(externalNames.of(controllerName)).inc();
    }

    @Override
    public void onFailureHandled(String action) {
      failuresHandled.labelValues(action).inc();
    }

    private static void count(Counter counter, int times, String... labels) {
      if (times > 0) {
        counter.labelValues(labels).inc(times);
      }
    }
  }

  private static final class Queues {
    private final InstantSource clock;
    private final Counter adds;
    private final Gauge depth;
    private final Histogram waited;
    private final Histogram worked;
    private final Counter retries;

    /** The start times of work in progress, by queue and key. */
    private final Map<String, Map<Object, Instant>> going = new ConcurrentHashMap<>();

    Queues(PrometheusRegistry registry, InstantSource clock) {
      this.clock = clock;
      adds =
          counter(
              registry,
              "workqueue_adds_total",
              "The number of items added to a work queue",
              "name");
      depth =
          Gauge.builder()
              .name("workqueue_depth")
              .help("The number of items that wait in a work queue")
              .labelNames("name")
              .register(registry);
      waited =
          seconds(
              registry,
              "workqueue_queue_duration_seconds",
              "How long an item waits in a work queue before it is processed",
              1e-6,
              10,
              9,
              "name");
      worked =
          seconds(
              registry,
              "workqueue_work_duration_seconds",
              "How long processing an item of a work queue takes",
              1e-6,
              10,
              9,
              "name");
      retries = counter(registry, "workqueue_retries_total", "The number of retries", "name");
      pending(
          registry,
          "workqueue_unfinished_work_seconds",
          "How long the unfinished work has been in progress, in total",
          Double::sum);
      pending(
          registry,
          "workqueue_longest_running_processor_seconds",
          "How long the longest unfinished work has been in progress",
          Math::max);
    }

    private void pending(
        PrometheusRegistry registry,
        String name,
        String help,
        BiFunction<Double, Double, Double> together) {
      GaugeWithCallback.builder()
          .name(name)
          .unit(Unit.SECONDS)
          .help(help)
          .labelNames("name")
          .callback(gauge ->
              going.forEach((queue, since) -> {
                Instant now = clock.instant();
                double seconds =
                    since.values().stream()
                        .map(start -> inSeconds(Duration.between(start, now)))
                        .reduce(0.0, together::apply);
                gauge.call(seconds, queue);
              }))
          .register(registry);
    }

    private final class Queue implements QueueMetrics {
      private final String name;
      private final Map<Object, Instant> ours;

      Queue(String name) {
        this.name = name;
        this.ours = going.computeIfAbsent(name, _ -> new ConcurrentHashMap<>());
        retries.initLabelValues(name);
        adds.initLabelValues(name);
      }

      @Override
      public void onAdd() {
        adds.labelValues(name).inc();
        depth.labelValues(name).inc();
      }

      @Override
      public void onDrop(int count) {
        depth.labelValues(name).dec(count);
      }

      @Override
      public void onStart(Object key, Duration time) {
        depth.labelValues(name).dec();
        waited.labelValues(name).observe(inSeconds(time));
        ours.put(key, clock.instant());
      }

      @Override
      public void onDone(Object key, Duration time) {
        ours.remove(key);
        worked.labelValues(name).observe(inSeconds(time));
      }

      @Override
      public void onRetry() {
        retries.labelValues(name).inc();
      }
    }
  }
}
