package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.covers.Covers;
import dev.stint.embedded.ThreadTimers;
import dev.stint.harness.JobBuilder;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code stint mirror} between two {@code stint up}, each in its own process.
 *
 * <p>It is slow because it starts five processes, two of them whole clusters, and waits until their
 * connections break and recover.
 */
@Order(1)
class MirrorTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Pattern PORT = Pattern.compile("Serving https://[^:]+:(\\d+)");
  private static final Pattern METRICS = Pattern.compile("metrics: (http://\\S+)/metrics");

  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: c
      contexts: [{ name: c, context: { cluster: c, user: u } }]
      clusters: [{ name: c, cluster: { server: "http://127.0.0.1:1" } }]
      users: [{ name: u, user: {} }]
      """;

  @TempDir private Path directory = Path.of("");

  private final Recorded recorded = Recorded.plain();

  @Test
  @Covers("MB-11")
  void aJobIsMirroredAcrossOutagesOfTheWorkerAndTheLeader() throws Exception {
    StintProcess manager = up("manager", 0, "none");
    StintProcess worker = up("worker", 0, "simulated");
    int workerPort = port(worker);
    StintProcess leader = candidate();
    await().atMost(TIMEOUT).until(() -> leader.err().contains("Leading as"));
    StintProcess mirror = candidate();
    await().atMost(TIMEOUT).until(() -> mirror.err().contains("waiting for the lease"));
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster jobs = KubeCluster.of(kubeconfig("manager"), null, timers);
        KubeCluster copies = KubeCluster.of(kubeconfig("worker"), null, timers)) {
      jobs.create(job("first")).get();
      becomes(jobs, "first", JobCondition.COMPLETE);
      assertThat(status(jobs, "first").succeeded()).isEqualTo(2);
      assertThat(jobs.list(Kind.POD, "default").get().items()).isEmpty();
      assertThat(copies.get(ref("first")).get().tree().at("/spec/managedBy").isMissingNode())
          .isTrue();
      assertThat(answer(metrics(leader) + "/readyz")).isEqualTo("ok");
      assertThat(answer(metrics(leader) + "/metrics"))
          .contains("leader_election_master_status{name=\"stint-mirror\"} 1.0");
      leader.terminate();
      assertThat(leader.exitStatus()).as(leader.err()).isEqualTo(143);

      worker.kill();
      jobs.create(job("second")).get();
      await().atMost(TIMEOUT).until(() -> mirrored(jobs).equals("WorkerUnreachable"));
      assertThat(answer(metrics(mirror) + "/metrics"))
          .contains("stint_mirror_worker_away{worker=\"worker\"} 1.0");
      worker = up("worker", workerPort, "simulated");
      becomes(jobs, "second", JobCondition.COMPLETE);

      KubeObject first = jobs.get(ref("first")).get();
      jobs.delete(first.ref(), DeleteOptions.only(first.uid())).get();
      await()
          .atMost(TIMEOUT)
          .until(() ->
              copies.list(Kind.JOB, "default").get().items().stream()
                  .noneMatch(copy -> copy.name().equals("first")));
    } finally {
      leader.kill();
      mirror.terminate();
      manager.terminate();
      worker.terminate();
    }
    assertThat(mirror.exitStatus()).as(mirror.err()).isEqualTo(143);
    manager.exitStatus();
    worker.exitStatus();
  }

  @ParameterizedTest
  @CsvSource({
    "kubernetes.io/job-controller, 'kubernetes.io/job-controller is the cluster''s own Job controller'",
    "mirror, 'must be a domain and a path'",
  })
  void anInvalidClaimIsRefusedInOneLine(String claim, String why) {
    int status =
        recorded.run(
            "mirror", "--manager-kubeconfig", "a", "--worker-kubeconfig", "b", "--claim", claim);
    assertThat(status).isEqualTo(2);
    assertThat(recorded.err()).singleElement().asString().contains("--claim: ", why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                   | missing --worker-kubeconfig=FILE, or --worker NAME=FILE for each of several workers",
        "--worker a=f --worker-kubeconfig g   | --worker and --worker-kubeconfig cannot be combined; name each worker with --worker NAME=FILE[:CONTEXT]",
        "--worker a=f --worker a=g            | --worker a= is given twice; each worker has one name and one flag",
        "--worker a=/none --worker-selector b=team=x | --worker-selector b=: there is no --worker b=FILE",
        "--worker a=/none                     | --worker a: /none: cannot be read; name an existing kubeconfig file",
        "--worker A=f                         | Invalid value for option '--worker' (NAME=FILE[:CONTEXT]): \"A=f\" is not like east=FILE or east=FILE:CONTEXT, with a name of lower-case letters, digits and '-'",
        "--worker a=f --worker-pods a=1       | --worker-pods has no effect without --worker-choice freest",
        "--worker a=f --worker b=g --worker-choice freest --worker-pods a=1 | --worker-pods b=N is missing or below 1; give it for all workers or for none",
        "--worker a=f --worker-pods c=1       | --worker-pods c=: there is no --worker c=FILE",
        "--worker-kubeconfig f --worker-choice freest   | --worker-choice has no effect with one worker; name several with --worker NAME=FILE",
        "--worker-kubeconfig f --worker-lost-after 9s   | --worker-lost-after has no effect with one worker; name several with --worker NAME=FILE",
        "--worker a=f --worker-lost-after 0s  | --worker-lost-after must be positive",
      })
  void faultsOfWorkersAreNamedInOneLine(String flags, String message) throws Exception {
    Path manager = Files.writeString(directory.resolve("m"), KUBECONFIG);
    List<String> words =
        new ArrayList<>(List.of("mirror", "--manager-kubeconfig", manager.toString()));
    words.addAll(flags.isEmpty() ? List.of() : List.of(flags.split(" ")));
    assertThat(recorded.run(words.toArray(String[]::new))).isEqualTo(2);
    assertThat(recorded.err()).singleElement().asString().startsWith("stint: " + message);
  }

  @Test
  void aMissingKubeconfigIsNamedWithItsFlag() {
    int status =
        recorded.run("mirror", "--manager-kubeconfig", "/none", "--worker-kubeconfig", "/none");
    assertThat(status).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(
            "stint: --manager-kubeconfig /none: cannot be read; name an existing kubeconfig file");
  }

  /** A mirror that works while it holds the lease, which lasts longer than the test waits. */
  private StintProcess candidate() throws Exception {
    return StintProcess.start(
        directory,
        "mirror",
        "--manager-kubeconfig",
        kubeconfig("manager").toString(),
        "--worker-kubeconfig",
        kubeconfig("worker").toString(),
        "--metrics-listen",
        "127.0.0.1:0",
        "--leader-elect",
        "--leader-elect-lease-duration",
        "3600s",
        "--leader-elect-renew-deadline",
        "3599s");
  }

  private StintProcess up(String name, int port, String runtime) throws Exception {
    StintProcess process =
        StintProcess.start(
            directory,
            "up",
            "--data",
            directory.resolve(name).toString(),
            "--listen",
            "127.0.0.1:" + port,
            "--kubeconfig-out",
            kubeconfig(name).toString(),
            "--runtime",
            runtime);
    await().atMost(TIMEOUT).until(() -> process.out().contains("To use it") || !process.alive());
    assertThat(process.alive()).as(process.err()).isTrue();
    return process;
  }

  private Path kubeconfig(String name) {
    return directory.resolve(name + ".kubeconfig");
  }

  private static int port(StintProcess up) {
    Matcher found = PORT.matcher(up.out());
    assertThat(found.find()).isTrue();
    return Integer.parseInt(found.group(1));
  }

  private static String metrics(StintProcess mirror) {
    Matcher found = METRICS.matcher(mirror.err());
    assertThat(found.find()).as(mirror.err()).isTrue();
    return found.group(1);
  }

  private static String answer(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }

  private static KubeObject job(String name) {
    return JobBuilder.named(name)
        .managedBy("stint.dev/mirror")
        .completions(2)
        .parallelism(2)
        .build();
  }

  private static ObjectRef ref(String name) {
    return new ObjectRef(Kind.JOB, "default", name);
  }

  private static JobStatus status(Cluster cluster, String name) throws Exception {
    return JobStatus.read(cluster.get(ref(name)).get().status());
  }

  private static void becomes(Cluster cluster, String name, String condition) {
    await().atMost(TIMEOUT).until(() -> status(cluster, name).isTrue(condition));
  }

  private static String mirrored(Cluster jobs) throws Exception {
    Optional<JobCondition> found = status(jobs, "second").condition("stint.dev/Mirrored");
    return found.map(JobCondition::reason).orElse("");
  }
}
