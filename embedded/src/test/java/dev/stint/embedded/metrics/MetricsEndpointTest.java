package dev.stint.embedded.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.controllers.metrics.PrometheusMetrics;
import dev.stint.covers.Covers;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Kind;
import dev.stint.model.Names;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.engine.SimulatedEngine;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A Job that triggers every metric, and the metrics that Prometheus then reads. */
class MetricsEndpointTest {
  private static final Set<String> ENDS = Set.of("Completed", "FailedIndexes");

  /** A pod that is created after a failure counts as one that replaces another. */
  private static final Duration UNTIL_ALL_ARE_CREATED = Duration.ofMillis(300);

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final AtomicBoolean ready = new AtomicBoolean();

  private HttpResponse<String> get(MetricsEndpoint endpoint, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + path);
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
  }

  private MetricsEndpoint open() throws Exception {
    return MetricsEndpoint.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        registry,
        () -> true,
        ready::get);
  }

  @Test
  void probesReportHealthAndReadiness() throws Exception {
    try (MetricsEndpoint endpoint = open()) {
      assertThat(get(endpoint, "/healthz").statusCode()).isEqualTo(200);
      assertThat(get(endpoint, "/readyz").statusCode()).isEqualTo(503);
      ready.set(true);
      assertThat(get(endpoint, "/readyz").body()).isEqualTo("ok");
      assertThat(get(endpoint, "/nothing").statusCode()).isEqualTo(404);
    }
  }

  @Test
  @Covers({"BI-46", "BI-47", "TR-30"})
  void metricsHaveTheirKubernetesNames() throws Exception {
    ControlPlaneOptions options =
        ControlPlaneOptions.DEFAULT.with(new PrometheusMetrics(registry, InstantSource.system()));
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), options);
        MetricsEndpoint endpoint = open()) {
      Map<String, CompletableFuture<String>> ends = follow(plane);
      create(plane, "foreign", "'managedBy':'example.com/other'");
      create(plane, "one", "'completions':1");
      create(
          plane,
          "indexed",
          "'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimitPerIndex':1,"
              + "'podFailurePolicy':{'rules':[{'action':'FailIndex','onExitCodes':"
              + "{'operator':'In','values':[42]}}]}");
      plane.start(secondFails(plane)).get(1, TimeUnit.MINUTES);
      for (String job : new String[] {"one", "indexed"}) {
        ends.computeIfAbsent(job, _ -> new CompletableFuture<>()).get(1, TimeUnit.MINUTES);
      }
      plane.stop();
      assertThat(get(endpoint, "/metrics").body().lines())
          .contains(
              "job_controller_jobs_finished_total{completion_mode=\"NonIndexed\","
                  + "reason=\"CompletionsReached\",result=\"succeeded\"} 1.0",
              "job_controller_jobs_finished_total{completion_mode=\"Indexed\","
                  + "reason=\"FailedIndexes\",result=\"failed\"} 1.0",
              "job_controller_job_pods_finished_total{completion_mode=\"Indexed\","
                  + "result=\"succeeded\"} 2.0",
              "job_controller_job_pods_finished_total{completion_mode=\"Indexed\","
                  + "result=\"failed\"} 1.0",
              "job_controller_job_pods_creation_total{reason=\"new\",status=\"succeeded\"} 4.0",
              "job_controller_job_finished_indexes_total{backoffLimit=\"perIndex\","
                  + "status=\"succeeded\"} 2.0",
              "job_controller_job_finished_indexes_total{backoffLimit=\"perIndex\","
                  + "status=\"failed\"} 1.0",
              "job_controller_terminated_pods_tracking_finalizer_total{event=\"add\"} 4.0",
              "job_controller_terminated_pods_tracking_finalizer_total{event=\"delete\"} 4.0",
              "job_controller_jobs_by_external_controller_total"
                  + "{controller_name=\"example.com/other\"} 1.0",
              "job_controller_pod_failures_handled_by_failure_policy_total{action=\"FailIndex\"}"
                  + " 1.0",
              "workqueue_retries_total{name=\"job\"} 0.0")
          .anyMatch(line -> line.startsWith("# HELP job_controller_job_sync_duration_seconds "))
          .anyMatch(
              line -> line.startsWith("job_controller_job_syncs_total{action=\"pods_created\","))
          .anyMatch(line -> line.startsWith("workqueue_adds_total{name=\"job\"}"));
    }
  }

  private static SimulatedRuntime secondFails(ControlPlane plane) {
    return new SimulatedRuntime(
        (pod, _) ->
            "1".equals(pod.labels().get(Names.COMPLETION_INDEX))
                ? new SimulatedRuntime.Outcome(UNTIL_ALL_ARE_CREATED, 42)
                : new SimulatedRuntime.Outcome(Duration.ZERO, 0),
        new Random(1),
        plane.clock(),
        plane.timers());
  }

  /** Completes for each Job once its end is reported, which is after it was counted. */
  private static Map<String, CompletableFuture<String>> follow(ControlPlane plane)
      throws Exception {
    String revision = plane.cluster().list(Kind.EVENT, null).get().resourceVersion();
    Map<String, CompletableFuture<String>> ends = new ConcurrentHashMap<>();
    plane
        .cluster()
        .watch(
            Kind.EVENT,
            null,
            revision,
            new WatchHandler() {
              @Override
              public void onEvent(WatchEvent event) {
                JsonNode tree = event.object().tree();
                String reason = tree.path("reason").asString("");
                if (ENDS.contains(reason)) {
                  String job = tree.path("involvedObject").path("name").asString("");
                  ends.computeIfAbsent(job, _ -> new CompletableFuture<>()).complete(reason);
                }
              }

              @Override
              public void onClosed(@Nullable ClusterException cause) {}
            });
    return ends;
  }

  private static void create(ControlPlane plane, String name, String spec) throws Exception {
    plane.cluster().create(JobBuilder.named(name).spec(spec).build()).get();
  }
}
