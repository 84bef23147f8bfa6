package dev.stint.embedded.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.ControllerName;
import dev.stint.embedded.ThreadTimers;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.PodPhase;
import dev.stint.store.engine.SimulatedEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRunTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path directory;

  @Test
  void everyIndexRunsOnceAndIsMeasured() throws Exception {
    JobRunReport report = JobRun.run(new JobRunOptions(30, 7, 2, false, false), directory);
    assertThat(report.pods()).isEqualTo(60);
    assertThat(report.wallSeconds()).isPositive();
    assertThat(report.createToStart().p50()).isPositive();
    assertThat(report.finishToStatus().p99()).isPositive();
    assertThat(report.lastEndToComplete().p50()).isPositive();
    assertThat(report.storeBytes().orElseThrow()).isPositive();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void everyIndexRunsTwiceIfFirstPodsFail() throws Exception {
    JobRunReport report = JobRun.run(new JobRunOptions(20, 20, 1, true, true), directory);
    assertThat(report.pods()).isEqualTo(40);
  }

  @Test
  void jobsAreCreatedAtARate() throws Exception {
    JobRunOptions options = new JobRunOptions(2, 2, 3, false, false, false, null, 100);
    JobRunReport report = JobRun.run(options, directory);
    assertThat(report.pods()).isEqualTo(6);
    assertThat(report.text()).contains("parallelism 2, 100 Jobs a second: 6 pods");
    assertThat(report.json().path("jobsPerSecond").asInt()).isEqualTo(100);
  }

  @Test
  void processesAreComparedWithXargs() throws Exception {
    JobRunReport report =
        JobRun.run(new JobRunOptions(20, 4, 1, false, false, true, null, 0), directory);
    assertThat(report.pods()).isEqualTo(20);
    assertThat(report.createToStart().p50()).isPositive();
    assertThat(report.finishToStatus().p99()).isPositive();
    assertThat(report.xargsPerSecond().orElseThrow()).isPositive();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aClusterWithoutAJobControllerIsGivenUp() throws Exception {
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
        ThreadTimers timers = new ThreadTimers()) {
      JobRunOptions options = new JobRunOptions(1, 1, 1, false, false, false, "acme.io/batch", 0);
      List<String> told = Collections.synchronizedList(new ArrayList<>());
      String message =
          "nothing has happened for 0 s: no pods exist; is a Job controller running in the cluster"
              + " that takes Jobs of --managed-by acme.io/batch?";
      assertThatThrownBy(() ->
              JobRun.on(
                  plane.cluster(),
                  timers,
                  options,
                  Duration.ofMillis(300),
                  told::add,
                  new CompletableFuture<>()))
          .cause()
          .isInstanceOf(StalledException.class)
          .hasMessage(message);
      assertThat(told).as("once, unless something happened meanwhile").containsOnly(message);
    }
  }

  @Test
  void podsOfOthersOnItsNodeAreLeftAlone() throws Exception {
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
        ThreadTimers timers = new ThreadTimers()) {
      plane.start(Set.of(ControllerName.JOB), null).get();
      Intruded cluster = new Intruded(plane.cluster());
      JobRunReport report =
          JobRun.on(
              cluster,
              timers,
              new JobRunOptions(3, 3, 1, false, false),
              PATIENCE,
              _ -> {},
              new CompletableFuture<>());
      assertThat(report.pods()).isEqualTo(3);
      assertThat(cluster.intruders)
          .hasSize(3)
          .allMatch(pod -> PodPhase.of(cluster.get(pod.ref()).join()) == PodPhase.Pending);
      assertThat(cluster.nodes).hasSize(1);
      assertThat(cluster.nodes.getFirst().tree().at("/spec/taints/0"))
          .hasToString("{\"key\":\"stint.dev/bench\",\"effect\":\"NoSchedule\"}");
    }
  }

  /** A cluster in which others bind pods to a benchmark's node before it has a Job. */
  private static final class Intruded extends ForwardingCluster {
    private final List<KubeObject> intruders = Collections.synchronizedList(new ArrayList<>());
    private final List<KubeObject> nodes = Collections.synchronizedList(new ArrayList<>());

    Intruded(Cluster cluster) {
      super(cluster);
    }

    @Override
    public CompletableFuture<KubeObject> create(KubeObject object) {
      if (object.kind().equals(Kind.NODE)) {
        nodes.add(object);
      } else if (object.kind().equals(Kind.JOB)) {
        String node = object.tree().at("/spec/template/spec/nodeName").asString();
        add("other", "x-1-y", node, "");
        add("default", "backup-abcde", node, "");
        add("default", object.name() + "-0-abcde", node, object.name());
      }
      return super.create(object);
    }

    private void add(String namespace, String name, String node, String owner) {
      String owners =
          owner.isEmpty()
              ? ""
              : ",'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'%s',"
                      .formatted(owner)
                  + "'uid':'another','controller':true}]";
      String pod =
          "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'%s','name':'%s'%s},"
              + "'spec':{'nodeName':'%s','restartPolicy':'Never',"
              + "'tolerations':[{'operator':'Exists'}],"
              + "'containers':[{'name':'main','image':'none','command':['true']}]}}";
      intruders.add(
          super.create(
                  KubeObject.of(
                      Json.parse(pod.formatted(namespace, name, owners, node).replace('\'', '"'))))
              .join());
    }
  }

  @Test
  void aStoppedBenchmarkDeletesItsJobsAndItsNode() throws Exception {
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
        ThreadTimers timers = new ThreadTimers()) {
      CompletableFuture<Boolean> stop = new CompletableFuture<>();
      Cluster cluster = new StoppingAtAJob(plane.cluster(), stop);
      JobRunOptions options = new JobRunOptions(1, 1, 3, false, false);
      assertThatThrownBy(() -> JobRun.on(cluster, timers, options, PATIENCE, _ -> {}, stop))
          .cause()
          .isInstanceOf(StoppedException.class);
      assertThat(plane.cluster().list(Kind.JOB, null).join().items()).isEmpty();
      assertThat(plane.cluster().list(Kind.NODE, null).join().items()).isEmpty();
    }
  }

  /** A cluster whose user ends the benchmark while its first Job is created. */
  private static final class StoppingAtAJob extends ForwardingCluster {
    private final CompletableFuture<Boolean> stop;

    StoppingAtAJob(Cluster cluster, CompletableFuture<Boolean> stop) {
      super(cluster);
      this.stop = stop;
    }

    @Override
    public CompletableFuture<KubeObject> create(KubeObject object) {
      if (object.kind().equals(Kind.JOB)) {
        stop.complete(true);
      }
      return super.create(object);
    }
  }

  @Test
  void aStoppedBenchmarkOfThisMachineDeletesItsDirectory() {
    assertThatThrownBy(() ->
            JobRun.run(
                JobRunOptions.of(10_000), directory, CompletableFuture.completedFuture(true)))
        .cause()
        .isInstanceOf(StoppedException.class);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aReportReadsTheSameAsTextAndAsJson() {
    JobRunReport report =
        new JobRunReport(
            JobRunOptions.of(10_000),
            10_000,
            2,
            3.5,
            new JobRunReport.Percentiles(1.25, 9),
            new JobRunReport.Percentiles(2, 8),
            new JobRunReport.Percentiles(3, 7),
            OptionalLong.of(5_000_000),
            7_000_000,
            OptionalDouble.of(10_000));
    assertThat(report.text())
        .contains("1 x 10000 completions, parallelism 1000: 10000 pods")
        .contains("2.00 s   (5000 pods per second)")
        .contains("1.3 ms  (median; 99th percentile 9.0 ms)")
        .contains("50 %   (which runs 10000 commands per second)");
    assertThat(report.json().toString())
        .contains("\"podsPerSecond\":5000.0")
        .contains("\"createToStartMillis\":{\"p50\":1.25,\"p99\":9.0}")
        .contains("\"lastEndToCompleteMillis\":{\"p50\":3.0,\"p99\":7.0}")
        .contains("\"storeBytes\":5000000")
        .contains("\"ratioToXargs\":0.5");
  }

  @Test
  void invalidOptionsAreRefused() {
    assertThatThrownBy(() -> new JobRunOptions(0, 1, 1, false, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("completions must be at least 1, not 0");
  }
}
