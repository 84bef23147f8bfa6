package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.cluster.Cluster;
import dev.stint.embedded.ThreadTimers;
import dev.stint.harness.JobBuilder;
import dev.stint.jobs.ApiCalls;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The commands about Jobs of a running {@code up}, by its data directory and as a cluster.
 *
 * <p>It is slow because each command opens its own connection, and pods are processes.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class ServedJobsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir private static Path directory = Path.of("");
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static final ThreadTimers TIMERS = new ThreadTimers();
  private static @Nullable StintProcess up;
  private static @Nullable KubeCluster served;

  @BeforeAll
  static void serve() throws IOException {
    StintProcess started =
        StintProcess.start(directory, "up", "--data", data(), "--listen", "127.0.0.1:0");
    up = started;
    Path lock = directory.resolve("data/lock");
    await().atMost(TIMEOUT).until(() -> isHeld(lock) || !started.alive());
    Recorded early = stint("ls", "--data", data());
    assertThat(early.err())
        .as("who asks while it starts")
        .singleElement()
        .asString()
        .contains("no Jobs");
    await().atMost(TIMEOUT).until(() -> started.out().contains("To use it") || !started.alive());
    assertThat(started.alive()).as(started.err()).isTrue();
    served = KubeCluster.of(kubeconfig(), null, TIMERS);
  }

  @Test
  void theLinkToSignInIsNotWrittenToAFileButMadeByACommand() {
    assertThat(Objects.requireNonNull(up).out())
        .containsPattern("Console: https://127\\.0\\.0\\.1:\\d+/console ")
        .doesNotContain("sign-in=");
    Recorded made = stint("console", "--data", data());
    assertThat(made.out())
        .singleElement()
        .asString()
        .matches("https://127\\.0\\.0\\.1:\\d+/console/#sign-in=[A-Za-z0-9_-]{43}");
  }

  private static boolean isHeld(Path lock) throws IOException {
    return Files.exists(lock) && Files.readString(lock).contains("Main up");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (served != null) {
      served.close();
    }
    TIMERS.close();
    if (up != null) {
      up.terminate();
      up.exitStatus();
    }
  }

  private static String data() {
    return directory.resolve("data").toString();
  }

  private static Path kubeconfig() {
    return directory.resolve("data/kubeconfig");
  }

  private static Recorded stint(String... args) {
    Recorded recorded = Recorded.plain();
    recorded.run(args);
    return recorded;
  }

  private interface Use<T> {
    T of(Cluster cluster);
  }

  private static <T> T asked(Use<T> use) {
    return use.of(Objects.requireNonNull(served));
  }

  /** Creates a Job whose pods wait until a file exists. */
  private static void create(String name) {
    String script =
        "echo begin; while ! test -e %s; do sleep 0.1; done; echo end".formatted(gate(name));
    KubeObject job =
        JobBuilder.indexed(name)
            .completions(2)
            .parallelism(2)
            .podSpec("'terminationGracePeriodSeconds':1")
            .command("sh", "-c", script)
            .build();
    KubeObject created = asked(cluster -> ApiCalls.await(cluster.create(job)));
    assertThat(created.name()).isEqualTo(name);
  }

  private static Path gate(String name) {
    return directory.resolve(name + ".gate");
  }

  private static JobStatus status(String name) {
    return asked(cluster ->
        JobStatus.read(
            ApiCalls.await(cluster.get(new ObjectRef(Kind.JOB, "default", name))).status()));
  }

  private static void awaitReady(String name) {
    await().atMost(TIMEOUT).until(() -> Objects.equals(status(name).ready(), 2));
  }

  @Test
  void logsAreFollowedUntilTheJobEnds() throws Exception {
    create("followed");
    awaitReady("followed");
    Started files = start("logs", "followed", "-f", "--data", data());
    Started api = start("logs", "followed", "-f", "--kubeconfig", kubeconfig().toString());
    Started wait = start("wait", "followed", "--data", data());
    await().atMost(TIMEOUT).until(() -> files.recorded().out().size() == 2);
    Files.createFile(gate("followed"));
    assertThat(wait.status().get(2, TimeUnit.MINUTES)).isZero();
    for (Started logs : List.of(files, api)) {
      assertThat(logs.status().get(2, TimeUnit.MINUTES)).as("%s", logs.recorded().err()).isZero();
      assertThat(logs.recorded().out())
          .containsExactlyInAnyOrder("[0 #1] begin", "[0 #1] end", "[1 #1] begin", "[1 #1] end");
    }
  }

  @Test
  void logsOfARunAreFollowedUntilItEnds() throws Exception {
    Path gate = gate("running");
    Path file =
        Files.writeString(
            directory.resolve("running.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: running}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: unused
                    command: [sh, -c, 'echo begin; while ! test -e %s; do sleep 0.1; done; echo end']
            """
                .formatted(gate));
    String data = directory.resolve("run-data").toString();
    StintProcess run = StintProcess.start(directory, "run", file.toString(), "--data", data);
    // Only once the run has opened the directory: a command that reads an idle one locks it
    // meanwhile.
    Path logs = directory.resolve("run-data/logs/default/running");
    await().atMost(TIMEOUT).until(() -> Files.exists(logs) || !run.alive());
    await()
        .atMost(TIMEOUT)
        .until(
            () -> stint("logs", "running", "--data", data).out().contains("begin") || !run.alive());
    assertThat(stint("ls", "--data", data).out()).anyMatch(line -> line.startsWith("running "));
    Started following = start("logs", "running", "-f", "--no-prefix", "--data", data);
    await().atMost(TIMEOUT).until(() -> following.recorded().out().contains("begin"));
    Files.createFile(gate);
    assertThat(following.status().get(2, TimeUnit.MINUTES)).isZero();
    assertThat(following.recorded().out()).containsExactly("begin", "end");
    assertThat(run.exitStatus()).as(run.err()).isZero();
  }

  /** A command that runs in the background of the test. */
  private record Started(Recorded recorded, CompletableFuture<Integer> status) {}

  private static Started start(String... args) {
    Recorded recorded = Recorded.plain();
    return new Started(recorded, CompletableFuture.supplyAsync(() -> recorded.run(args), THREADS));
  }

  @Test
  void waitEndsAtItsTimeout() {
    create("late");
    Recorded wait = Recorded.plain();
    assertThat(wait.run("wait", "late", "--timeout", "10ms", "--data", data())).isEqualTo(124);
    assertThat(wait.out()).singleElement().asString().startsWith("late: not finished within 10ms");
  }

  @Test
  void aJobThatIsCancelledFailsForThatReason() {
    create("unwanted");
    awaitReady("unwanted");
    assertThat(stint("suspend", "unwanted", "--data", data()).out())
        .containsExactly("unwanted: suspended; its pods are being stopped");
    await().atMost(TIMEOUT).until(() -> status("unwanted").active() == 0);
    assertThat(stint("resume", "unwanted", "--data", data()).out())
        .containsExactly("unwanted: resumed");
    awaitReady("unwanted");
    assertThat(stint("cancel", "unwanted", "--kubeconfig", kubeconfig().toString()).out())
        .containsExactly("unwanted: cancelled; its pods are being stopped");
    Recorded wait = Recorded.plain();
    assertThat(wait.run("wait", "unwanted", "--data", data())).isEqualTo(1);
    assertThat(stint("show", "unwanted", "--data", data()).out())
        .contains("unwanted in default: Failed (Cancelled)");
    assertThat(stint("rm", "unwanted", "--data", data()).out())
        .containsExactly("unwanted: deleted");
  }

  @Test
  void theServerRunsARerunInItsDirectory() throws Exception {
    create("again");
    awaitReady("again");
    assertThat(stint("cancel", "again", "--data", data()).err()).isEmpty();
    assertThat(stint("wait", "again", "--data", data()).out()).hasSize(1);
    Recorded late = Recorded.plain();
    String[] rerun = {
      "rerun", "again", "--failed", "--name=late-again", "--timeout=300ms", "--data", data()
    };
    assertThat(late.run(rerun)).as(late.err().toString()).isEqualTo(124);
    Files.createFile(gate("again"));
    assertThat(stint("rerun", "again", "--failed", "--data", data(), "-o", "name").out())
        .containsExactly("job.batch/again-rerun-1");
    Recorded wait = Recorded.plain();
    assertThat(wait.run("wait", "again-rerun-1", "--data", data())).isZero();
  }

  private static void createNightly() {
    KubeObject cronJob =
        KubeObject.of(
            Json.parse(
                """
                {'apiVersion':'batch/v1','kind':'CronJob',
                 'metadata':{'name':'nightly','namespace':'default'},
                 'spec':{'schedule':'30 2 * * *','suspend':true,'jobTemplate':{'spec':{'template':{'spec':{
                   'restartPolicy':'Never',
                   'containers':[{'name':'main','image':'x','command':['echo','report']}]}}}}}}
                """
                    .replace('\'', '"')));
    asked(cluster -> ApiCalls.await(cluster.create(cronJob)));
  }

  @Test
  void aJobOfACronJobRunsNow() {
    createNightly();
    assertThat(stint("cronjob", "run", "nightly", "--data", data()).out())
        .containsExactly("nightly-manual-1: a Job of CronJob nightly");
    Recorded followed = Recorded.plain();
    assertThat(followed.run("cronjob", "run", "cronjob.batch/nightly", "-f", "--data", data()))
        .as(followed.err().toString())
        .isZero();
    assertThat(followed.err()).contains("stint: nightly-manual-2: a Job of CronJob nightly");
    assertThat(followed.out()).anyMatch(line -> line.endsWith("report"));
    assertThat(stint("cronjob", "run", "daily", "--data", data()).err())
        .containsExactly(
            "stint: no CronJob \"daily\" in namespace default (its CronJobs: nightly)");
    assertThat(stint("wait", "nightly-manual-1", "--data", data()).out()).hasSize(1);
    for (String flag : List.of("--follow", "--dry-run", "--no-run")) {
      assertThat(stint(taken(flag)).err())
          .as(flag)
          .containsExactly("stint: Job \"nightly-manual-1\" exists; choose another --name");
    }
  }

  private static String[] taken(String flag) {
    return new String[] {
      "cronjob", "run", "nightly", "--name", "nightly-manual-1", flag, "--data", data()
    };
  }
}
