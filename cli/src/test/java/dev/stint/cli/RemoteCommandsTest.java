package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.FaultyApi.Fault;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.embedded.ControllerName;
import dev.stint.embedded.RemoteControllers;
import dev.stint.embedded.ThreadTimers;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.RetryingCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Controllers of an API over HTTP with faults.
 *
 * <p>It is slow because a client waits after each failure of the API, longer each time.
 */
@Execution(ExecutionMode.CONCURRENT)
class RemoteCommandsTest {
  private static final int COMPLETIONS = 150;
  private static final Duration POD = Duration.ofMillis(30);

  @TempDir private Path directory;
  private FarCluster far;
  private FaultyApi api;
  private ThreadTimers timers;
  private KubeCluster cluster;
  private RemoteControllers controllers;

  @BeforeEach
  void start() throws Exception {
    far = new FarCluster(directory, POD, 200);
    api = new FaultyApi(far.endpoint.url(), far.pki.adminToken(), far.pki.adminContext());
    timers = new ThreadTimers();
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(api.url()).build();
    cluster = new KubeCluster(config, timers);
    controllers =
        new RemoteControllers(
            cluster,
            timers,
            new RemoteControllers.Options(
                Set.of(ControllerName.JOB),
                JobControllerOptions.DEFAULT,
                null,
                RetryingCluster.Options.DEFAULT,
                Metrics.NONE));
    controllers.start();
  }

  @AfterEach
  void stop() throws Exception {
    controllers.close();
    cluster.close();
    api.close();
    timers.close();
    far.close();
  }

  private void assertEachIndexRanOnce(ObjectRef job) {
    far.untilComplete(job);
    JobStatus status = far.status(job);
    assertThat(status.succeeded()).isEqualTo(COMPLETIONS);
    assertThat(status.completedIndexes()).hasToString("0-" + (COMPLETIONS - 1));
    assertThat(far.indexes()).isEqualTo(IntStream.range(0, COMPLETIONS).boxed().toList());
    assertThat(far.pods()).hasSize(COMPLETIONS).allMatch(pod -> pod.finalizers().isEmpty());
  }

  private void untilSomeAreDone(ObjectRef job, int some) {
    far.until(some + " are done", () -> far.status(job).succeeded() >= some);
  }

  @Test
  void aPodThatSucceedsCostsAtMostThreeRequests() throws Exception {
    ObjectRef job = far.create("cheap", COMPLETIONS, 30, "");
    assertEachIndexRanOnce(job);
    far.until(
        "the last event", () -> !far.cluster().list(Kind.EVENT, null).join().items().isEmpty());
    List<String> requests = List.copyOf(api.requests);
    assertThat(requests)
        .filteredOn(r -> r.startsWith("POST") && r.contains("/pods"))
        .hasSize(COMPLETIONS);
    assertThat(requests).hasSizeLessThanOrEqualTo(3 * COMPLETIONS);
    assertThat(requests).filteredOn(r -> r.startsWith("GET")).hasSizeLessThan(10);
  }

  private static Supplier<Fault> atRandom(long seed) {
    Random random = new Random(seed);
    Fault[] faults = Fault.values();
    return () -> {
      synchronized (random) {
        return random.nextInt(3) > 0 ? Fault.NONE : faults[random.nextInt(faults.length)];
      }
    };
  }

  @Test
  void nothingIsLostOrDoubledWhileTheApiFailsAtRandom() throws Exception {
    api.fail(atRandom(11));
    ObjectRef job = far.create("random", COMPLETIONS, 30, "");
    untilSomeAreDone(job, COMPLETIONS / 2);
    api.fail(() -> Fault.NONE);
    assertEachIndexRanOnce(job);
    assertThat(api.requests).anyMatch(r -> r.startsWith("POST") && r.endsWith("ANSWER_LOST"));
  }

  @Test
  void workContinuesWhenTheApiReturns() throws Exception {
    ObjectRef job = far.create("away", COMPLETIONS, 30, "");
    untilSomeAreDone(job, 1);
    int before = api.requests.size();
    api.fail(() -> Fault.AWAY);
    far.until("they ask in vain", () -> api.requests.size() > before + 100);
    api.fail(() -> Fault.NONE);
    assertEachIndexRanOnce(job);
  }

  @Test
  void aSlowApiIsAwaited() throws Exception {
    api.fail(() -> Fault.SLOW);
    assertEachIndexRanOnce(far.create("slow", COMPLETIONS, COMPLETIONS, ""));
  }

  /** The API remembers only 200 changes, and more than that happen while nobody can watch. */
  @Test
  void anExpiredWatchIsRestartedWithoutDuplicatePods() throws Exception {
    ObjectRef job = far.create("gone", COMPLETIONS, 30, "");
    untilSomeAreDone(job, 1);
    api.fail(() -> Fault.AWAY);
    for (int i = 0; i < 300; i++) {
      far.cluster()
          .create(
              dev.stint.model.KubeObject.of(
                  dev.stint.model.Json.parse(
                      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c"
                          + i
                          + "\",\"namespace\":\"default\"}}")))
          .get();
    }
    api.fail(() -> Fault.NONE);
    assertEachIndexRanOnce(job);
    assertThat(api.requests).filteredOn(r -> r.contains("/pods?limit")).hasSizeGreaterThan(1);
  }
}
