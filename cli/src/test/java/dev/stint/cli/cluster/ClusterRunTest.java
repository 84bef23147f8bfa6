package dev.stint.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.cli.FarCluster;
import dev.stint.cli.Recorded;
import dev.stint.embedded.ThreadTimers;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code run} on a cluster, as a user who has the role edit in one namespace and no other rights.
 */
class ClusterRunTest {
  private static final String NAMESPACE = "team";

  @TempDir private static Path directory = Path.of("");
  private static FarCluster far;
  private static Path kubeconfig = Path.of("");

  @BeforeAll
  static void start() throws Exception {
    far = FarCluster.withControllers(directory, (pod, _) -> outcome(pod));
    create("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'team'}}");
    Path files = Files.createDirectory(directory.resolve("account"));
    ObjectRef account = new ObjectRef(Kind.SERVICE_ACCOUNT, NAMESPACE, "editor");
    try (ThreadTimers timers = new ThreadTimers()) {
      far.inPod(account, files, timers).close();
    }
    create(
        "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'RoleBinding','metadata':{'name':"
            + "'editor','namespace':'team'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'ClusterRole','name':'edit'},'subjects':[{'kind':'ServiceAccount','name':"
            + "'editor','namespace':'team'}]}");
    String text = Files.readString(far.kubeconfig());
    String token = Files.readString(files.resolve("token")).strip();
    kubeconfig =
        Files.writeString(
            directory.resolve("editor.kubeconfig"), text.replace(far.pki.adminToken(), token));
  }

  @AfterAll
  static void stop() {
    far.close();
  }

  /**
   * Pods of slow Jobs run until they are ended; those of bad ones fail, as does the first one of
   * mixed ones.
   */
  private static SimulatedRuntime.Outcome outcome(KubeObject pod) {
    boolean first = "0".equals(pod.labels().get(Names.COMPLETION_INDEX));
    boolean fails = pod.name().startsWith("bad") || pod.name().startsWith("mixed") && first;
    return pod.name().startsWith("slow")
        ? new SimulatedRuntime.Outcome(Duration.ofDays(1), 0)
        : new SimulatedRuntime.Outcome(Duration.ofMillis(10), fails ? 1 : 0);
  }

  private static void create(String text) throws Exception {
    far.cluster().create(KubeObject.of(Json.parse(text.replace('\'', '"')))).get();
  }

  private static String job(String name, String more) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s}
    spec:
      completionMode: Indexed
      completions: 2
      parallelism: 2
      backoffLimit: 0
    %s
      template:
        spec:
          restartPolicy: Never
          containers:
          - {name: main, image: busybox, command: ["true"]}
    """
        .formatted(name, more.isEmpty() ? "" : "  " + more);
  }

  private static String file(String name, String text) throws Exception {
    return Files.writeString(directory.resolve(name + ".yaml"), text).toString();
  }

  private static Recorded stint(int status, String... args) {
    return stint(Recorded.plain(), status, args);
  }

  private static Recorded stint(Recorded recorded, int status, String... args) {
    String[] all = new String[args.length + 2];
    all[0] = args[0];
    all[1] = "--kubeconfig=" + kubeconfig;
    all[2] = "--namespace=" + NAMESPACE;
    System.arraycopy(args, 1, all, 3, args.length - 1);
    assertThat(recorded.run(all)).as(recorded.err().toString()).isEqualTo(status);
    return recorded;
  }

  private static KubeObject get(String name) {
    return far.get(new ObjectRef(Kind.JOB, NAMESPACE, name));
  }

  private static List<KubeObject> listsOf(KubeObject job) {
    return far.cluster().list(Kind.CONFIG_MAP, NAMESPACE).join().items().stream()
        .filter(
            map -> job.uid().equals(map.tree().at("/metadata/ownerReferences/0/uid").asString("")))
        .toList();
  }

  @Test
  void aJobRunsToItsEnd() throws Exception {
    String config =
        "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n";
    Path report = directory.resolve("report.xml");
    String job =
        job("hello", "")
            .replace(
                "image: busybox", "image: busybox, envFrom: [{configMapRef: {name: settings}}]");
    Recorded run = stint(0, "run", file("hello", job + config), "--report", report.toString());
    assertThat(run.err().getFirst())
        .matches(
            "stint: cluster https://127\\.0\\.0\\.1:\\d+ \\(context stint\\), namespace team, from --kubeconfig");
    assertThat(run.err())
        .anyMatch(line -> line.startsWith("stint: hello: created; its logs: stint logs -f hello"))
        .anyMatch(line -> line.matches("stint: hello: Complete in .*, 2 of 2 succeeded"));
    assertThat(run.out()).isEmpty();
    assertThat(Files.readString(report)).contains("<testsuite name=\"hello\"", "tests=\"2\"");
    KubeObject settings = far.get(new ObjectRef(Kind.CONFIG_MAP, NAMESPACE, "settings"));
    assertThat(settings.tree().at("/metadata/managedFields/0/manager").asString())
        .isEqualTo("stint");
    assertThat(settings.tree().at("/metadata/managedFields/0/operation").asString())
        .isEqualTo("Apply");
    assertThat(get("hello").annotation(RunAnnotations.REPORTED)).isEqualTo("true");
    assertThat(get("hello").annotation(RunAnnotations.INPUTS)).isNotNull();
  }

  @Test
  void aFailureIsTheExitStatus() throws Exception {
    Recorded run = stint(1, "run", file("bad", job("bad", "")), "-o", "json");
    assertThat(run.err())
        .anyMatch(line -> line.startsWith("stint: bad: Failed in "))
        .anyMatch(line -> line.contains("exited with 1"));
    assertThat(Json.parse(String.join("\n", run.out())).at("/metadata/name").asString())
        .isEqualTo("bad");
  }

  @Test
  void theSameCommandFollowsItsJob() throws Exception {
    String file = file("slow-again", job("slow-again", ""));
    Recorded first = stint(124, "run", file, "--timeout", "300ms");
    assertThat(first.err())
        .anyMatch(line ->
            line.startsWith(
                "stint: slow-again: not finished within 300ms; it goes on in the cluster; the same"
                    + " command follows it again, and so does: stint wait slow-again"));
    String uid = get("slow-again").uid();
    Recorded second = stint(124, "run", file, "--timeout", "300ms");
    assertThat(second.err()).contains("stint: slow-again: goes on, 0 of 2 succeeded");
    assertThat(get("slow-again").uid()).isEqualTo(uid);
    assertThat(get("slow-again").tree().at("/spec/suspend").asBoolean(false)).isFalse();
  }

  /** Nobody reports the end of its pods, as when their node is lost. */
  @Test
  @Timeout(60)
  void theTimeoutHoldsWhilePodsOfAnEarlierJobStop() throws Exception {
    String file = file("lost", job("lost", "managedBy: example.com/nobody"));
    stint(124, "run", file, "--timeout", "300ms");
    String uid = get("lost").uid();
    Recorded fresh = stint(124, "run", file, "--fresh", "--timeout", "300ms");
    assertThat(fresh.err())
        .last()
        .asString()
        .isEqualTo(
            "stint: --timeout passed before all Jobs were submitted; the same command submits the"
                + " others");
    assertThat(get("lost").uid()).isEqualTo(uid);
  }

  @Test
  void noJobIsDeletedIfItsLogsCannotBe() throws Exception {
    stint(0, "run", file("kept", job("kept", "")));
    String refusal = "stint: --logs: a cluster deletes logs with their pods; remove the flag";
    assertThat(stint(2, "rm", "kept", "--logs").err()).last().isEqualTo(refusal);
    assertThat(get("kept").deletionTimestamp()).isNull();
    assertThat(stint(2, "gc", "--older-than", "1000d", "--logs").err()).last().isEqualTo(refusal);
  }

  @Test
  void aFinishedJobStartsAnew() throws Exception {
    String file = file("anew", job("anew", ""));
    stint(0, "run", file);
    String uid = get("anew").uid();
    Recorded second = stint(0, "run", file);
    assertThat(second.err()).anyMatch(line -> line.startsWith("stint: anew: starts anew"));
    assertThat(get("anew").uid()).isNotEqualTo(uid);
  }

  @Test
  void aFinishedJobOfSomebodyElseStays() throws Exception {
    String document =
        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'theirs','namespace':'team'},'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'main','image':'busybox'}]}}}}";
    create(document);
    far.until("it ends", () -> JobStatus.read(get("theirs").status()).isFinished());
    String file = file("theirs", job("theirs", ""));
    assertThat(stint(2, "run", file).err())
        .last()
        .asString()
        .endsWith(
            "Job \"theirs\" of this cluster is finished, and stint run did not create it; choose"
                + " another name, or replace it with --replace");
    stint(0, "run", file, "--replace");
  }

  @Test
  void linesOfAListAreInConfigMapsOfTheJob() throws Exception {
    String text =
        IntStream.range(0, 3000)
            .mapToObj(index -> index + "-" + "x".repeat(500))
            .collect(Collectors.joining("\n"));
    Path list = Files.writeString(directory.resolve("lines.txt"), text);
    Recorded run =
        stint(
            0,
            "run",
            "--each",
            list.toString(),
            "--image",
            "busybox",
            "--parallel",
            "500",
            "--name",
            "lines",
            "--",
            "echo",
            "{}");
    assertThat(run.err()).anyMatch(line -> line.contains("3000 of 3000 succeeded"));
    KubeObject job = get("lines");
    assertThat(listsOf(job)).hasSize(2);
    String sent = job.tree() + listsOf(job).toString();
    assertThat(sent).doesNotContain(directory.toString(), System.getProperty("user.dir"));
    assertThat(job.annotation(RunAnnotations.INTERRUPTED)).isNull();
    assertThat(
            stint(
                    0,
                    "run",
                    "--each",
                    list.toString(),
                    "--image",
                    "busybox",
                    "--name",
                    "lines",
                    "--",
                    "echo",
                    "{}")
                .err())
        .contains("stint: lines: all 3000 lines succeeded before; --fresh runs them again");
  }

  @Test
  void linesThatSucceededDoNotRunAgainIfTheUserMayWriteTheStatus() throws Exception {
    String list = Files.writeString(directory.resolve("mixed.txt"), "a\nb\nc\n").toString();
    String[] command = {
      "run", "--each", list, "--image", "busybox", "--name", "mixed", "--", "echo", "{}"
    };
    stint(1, command);
    String uid = get("mixed").uid();
    assertThat(stint(2, command).err())
        .last()
        .asString()
        .startsWith("stint: mixed: 2 lines succeeded before, and keeping that takes the right to")
        .endsWith("or run all lines with --fresh");
    assertThat(get("mixed").uid()).isEqualTo(uid);
    Recorded allowed = Recorded.plain();
    String[] other = command.clone();
    other[0] = "--kubeconfig=" + far.kubeconfig();
    String[] all = new String[command.length + 2];
    all[0] = "run";
    all[1] = "-n=" + NAMESPACE;
    System.arraycopy(other, 0, all, 2, other.length);
    assertThat(allowed.run(all)).as(allowed.err().toString()).isEqualTo(1);
    assertThat(allowed.err())
        .contains(
            "stint: mixed: 2 of 3 lines succeeded before; runs the other one (--fresh runs all)");
    assertThat(JobStatus.read(get("mixed").status()).failed()).isEqualTo(1);
    assertThat(listsOf(get("mixed"))).hasSize(1);
  }

  @Test
  void aRerunIsFollowedToItsEnd() throws Exception {
    stint(
        1,
        "run",
        file(
            "mixed-rerun",
            job("mixed-rerun", "").replace("backoffLimit:", "backoffLimitPerIndex:")));
    Recorded rerun = Recorded.plain();
    String[] args = {
      "rerun", "mixed-rerun", "--failed", "-n=team", "--kubeconfig=" + far.kubeconfig()
    };
    assertThat(rerun.run(args)).as(rerun.err().toString()).isEqualTo(1);
    assertThat(rerun.err())
        .contains("stint: mixed-rerun-rerun-1: reruns index 0 of mixed-rerun and keeps 1 success")
        .anyMatch(line -> line.startsWith("stint: mixed-rerun-rerun-1: Failed in "));
    Recorded late = Recorded.plain();
    assertThat(late.run(and(args, "--name=slow-rerun", "--timeout=300ms")))
        .as(late.err().toString())
        .isEqualTo(124);
    assertThat(late.err())
        .last()
        .asString()
        .startsWith(
            "stint: slow-rerun: not finished within 300ms; it goes on in the cluster; follow it"
                + " again with: stint wait slow-rerun ");
    Recorded created = Recorded.plain();
    assertThat(created.run(and(args, "--no-run"))).isZero();
    assertThat(created.out())
        .containsExactly("mixed-rerun-rerun-2: reruns index 0 of mixed-rerun and keeps 1 success");
  }

  private static String[] and(String[] args, String... more) {
    return Stream.concat(Arrays.stream(args), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void aJobOfACronJobIsFollowed() throws Exception {
    create(
        """
        {'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'nightly','namespace':'team'},
         'spec':{'schedule':'30 2 * * *','suspend':true,'jobTemplate':{'spec':{'template':{'spec':{
           'restartPolicy':'Never','containers':[{'name':'main','image':'busybox'}]}}}}}}
        """);
    String[] args = {"cronjob", "run", "nightly", "-n=team", "--kubeconfig=" + far.kubeconfig()};
    Recorded run = Recorded.plain();
    assertThat(run.run(args)).as(run.err().toString()).isZero();
    assertThat(run.err())
        .contains("stint: nightly-manual-1: a Job of CronJob nightly")
        .anyMatch(line -> line.startsWith("stint: nightly-manual-1: Complete in "));
  }

  @Test
  void aListIsKnownWhereverItsFileIs() throws Exception {
    for (String place : List.of("one", "two")) {
      Path at = Files.createDirectories(directory.resolve(place));
      Path list = Files.writeString(at.resolve("inputs.txt"), "a\nb\n");
      stint(0, "run", "--each", list.toString(), "--image", "alpine", "--", "gzip", "{}");
    }
    assertThat(far.cluster().list(Kind.JOB, NAMESPACE).join().items())
        .filteredOn(job -> job.name().startsWith("each-gzip-"))
        .hasSize(1);
  }

  @Test
  void whatTheClusterNeedsIsSaidBeforeAnythingIsSent() throws Exception {
    String list = Files.writeString(directory.resolve("few.txt"), "a\n").toString();
    assertThat(stint(2, "run", "--each", list, "--", "echo", "{}").err())
        .containsExactly(
            "stint: --image IMAGE is required on a cluster; name one that contains the command and"
                + " /bin/sh");
    String file = file("noimage", job("noimage", "").replace("image: busybox, ", ""));
    assertThat(stint(2, "run", file).err())
        .last()
        .asString()
        .endsWith("noimage.yaml:14: spec.template.spec.containers[0].image: is required");
    String path = file("path", job("path", "").replace("busybox", "./program"));
    assertThat(stint(2, "run", path).err())
        .last()
        .asString()
        .contains("containers[0].image", "\"./program\" is not the name of an image");
    String kind =
        file(
            "kinds", "apiVersion: v1\nkind: LimitRange\nmetadata: {name: x}\n---\n" + job("x", ""));
    assertThat(stint(2, "run", kind).err())
        .last()
        .asString()
        .contains("LimitRange is not supported");
    assertThat(stint(2, "run", file, "--max-pods", "3").err())
        .containsExactly(
            "stint: --max-pods is about this machine, but --kubeconfig names a cluster; remove one"
                + " of them");
    assertThat(stint(2, "run", file, "--runtime", "container").err())
        .last()
        .asString()
        .contains("--runtime is about this machine");
  }

  @Test
  void aRefusalOfTheClusterIsOneLine() throws Exception {
    String file =
        file(
            "elsewhere",
            job("elsewhere", "")
                .replace("{name: elsewhere}", "{name: elsewhere, namespace: default}"));
    assertThat(stint(2, "run", file).err())
        .hasSize(2)
        .last()
        .asString()
        .contains("forbidden", "default");
  }

  /** A scheduler or a quota may warn at once, and never again. */
  @Test
  void warningsAreFollowedBeforeTheJobIsCreated() throws Exception {
    far.asked.clear();
    stint(0, "run", file("watched", job("watched", "")));
    List<String> asked = List.copyOf(far.asked);
    assertThat(asked.stream().filter(each -> each.contains("/namespaces/team/events")).findFirst())
        .hasValueSatisfying(events ->
            assertThat(asked.indexOf(events))
                .isLessThan(
                    asked.indexOf(
                        asked.stream()
                            .filter(each -> each.startsWith("POST "))
                            .filter(each -> each.contains("/namespaces/team/jobs"))
                            .findFirst()
                            .orElseThrow())));
  }

  @Test
  void whoMayNotReadEventsGetsNoWarnings() throws Exception {
    create(
        "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'Role','metadata':{'name':'narrow',"
            + "'namespace':'team'},'rules':[{'apiGroups':['batch'],'resources':['jobs'],"
            + "'verbs':['get','list','watch','create','patch']}]}");
    create(
        "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'RoleBinding','metadata':{'name':"
            + "'narrow','namespace':'team'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'Role','name':'narrow'},'subjects':[{'kind':'ServiceAccount','name':"
            + "'narrow','namespace':'team'}]}");
    Path files = Files.createDirectory(directory.resolve("narrow"));
    try (ThreadTimers timers = new ThreadTimers()) {
      far.inPod(new ObjectRef(Kind.SERVICE_ACCOUNT, NAMESPACE, "narrow"), files, timers).close();
    }
    String token = Files.readString(files.resolve("token")).strip();
    String text = Files.readString(far.kubeconfig()).replace(far.pki.adminToken(), token);
    Path narrow = Files.writeString(directory.resolve("narrow.kubeconfig"), text);
    Recorded run = Recorded.plain();
    int status =
        run.run("run", "--kubeconfig=" + narrow, "-n", NAMESPACE, file("few", job("few", "")));
    assertThat(status).as(run.err().toString()).isZero();
    assertThat(run.err())
        .anyMatch(line -> line.startsWith("stint: warnings about pods are not shown: "));
  }

  @Test
  void anotherControllerIsNamed() throws Exception {
    String file = file("slow-managed", job("slow-managed", ""));
    stint(124, "run", file, "--timeout", "300ms", "--managed-by", "stint.dev/job-controller");
    assertThat(get("slow-managed").tree().at("/spec/managedBy").asString())
        .isEqualTo("stint.dev/job-controller");
    assertThat(stint(2, "run", file, "--managed-by", "nonsense").err())
        .last()
        .asString()
        .contains("--managed-by \"nonsense\" is not a name");
  }

  @Test
  void faultsOfTheConnectionAreOneLine() throws Exception {
    String file = file("unsent", job("unsent", ""));
    Path nowhere =
        Files.writeString(
            directory.resolve("nowhere"),
            Files.readString(kubeconfig).replaceAll("server: .*", "server: https://127.0.0.1:1"));
    Recorded away = Recorded.plain();
    assertThat(away.run("run", file, "--kubeconfig", nowhere.toString())).isEqualTo(2);
    assertThat(away.err()).hasSize(2).last().asString().contains("does not answer");
    for (List<String> args :
        List.of(
            List.of("--kubeconfig", "/nowhere/config"),
            List.of("--kubeconfig", kubeconfig.toString(), "--context", "other"))) {
      Recorded fault = Recorded.plain();
      String[] all = {
        "run",
        file,
        args.get(0),
        args.get(1),
        args.size() > 2 ? args.get(2) : "-o",
        args.size() > 2 ? args.get(3) : "text"
      };
      assertThat(fault.run(all)).isEqualTo(2);
      assertThat(fault.err()).hasSize(1).first().asString().startsWith("stint: --kubeconfig ");
    }
  }

  @Test
  void theEnvironmentNamesTheClusterIfNothingElseDoes() throws Exception {
    String file = file("byvariable", job("byvariable", ""));
    Map<String, String> environment =
        Map.of("KUBECONFIG", kubeconfig.toString(), "HOME", directory.toString());
    Recorded run = Recorded.of("", environment, false, StandardCharsets.UTF_8);
    assertThat(run.run("run", file, "-n", "team")).as(run.err().toString()).isZero();
    assertThat(run.err().getFirst()).contains("namespace team, from KUBECONFIG");
    Recorded ls = Recorded.of("", environment, false, StandardCharsets.UTF_8);
    assertThat(ls.run("ls", "-n", "team", "-o", "name")).isZero();
    assertThat(ls.out()).contains("job.batch/byvariable");
    assertThat(ls.err())
        .singleElement()
        .asString()
        .contains("cluster https://", "namespace team, from KUBECONFIG");
    Recorded local = Recorded.of("", environment, false, StandardCharsets.UTF_8);
    assertThat(local.run("ls", "--data", directory.resolve("none").toString())).isEqualTo(2);
    assertThat(local.err()).singleElement().asString().contains("does not exist");
  }

  private record Stopped(int status, Recorded recorded) {}

  /** Sends a signal once pods of the Job run. */
  private static Stopped stopped(String name, String signal, String answer, boolean terminal)
      throws Exception {
    Recorded recorded = Recorded.of(answer, Map.of(), terminal, StandardCharsets.UTF_8);
    int[] status = new int[1];
    String file = file(name, job(name, ""));
    Thread command =
        Thread.ofPlatform()
            .start(() ->
                status[0] = recorded.run("run", file, "-n", "team", "--kubeconfig=" + kubeconfig));
    far.until(
        "pods of " + name + " run",
        () ->
            far.cluster().list(Kind.JOB, NAMESPACE).join().items().stream()
                .anyMatch(
                    job -> job.name().equals(name) && JobStatus.read(job.status()).active() == 2));
    recorded.raise(signal);
    command.join();
    return new Stopped(status[0], recorded);
  }

  @Test
  void anInterruptionWithoutATerminalLeavesTheJobRunning() throws Exception {
    Stopped stopped = stopped("slow-left", "INT", "c\n", false);
    assertThat(stopped.status()).isEqualTo(130);
    assertThat(stopped.recorded().err())
        .last()
        .asString()
        .startsWith("stint: slow-left: it goes on in the cluster; the same command follows it");
    assertThat(JobStatus.read(get("slow-left").status()).active()).isEqualTo(2);
  }

  @Test
  void aUserMayLeaveSuspendOrCancelIt() throws Exception {
    assertThat(stopped("slow-a", "INT", "\n", true).status()).isEqualTo(130);
    assertThat(get("slow-a").tree().at("/spec/suspend").asBoolean(false)).isFalse();

    Stopped suspended = stopped("slow-b", "INT", "s\n", true);
    assertThat(suspended.status()).isEqualTo(130);
    assertThat(String.join("\n", suspended.recorded().err()))
        .contains("(l)eave running, (s)uspend or (c)ancel? [l] ")
        .contains("slow-b: suspended; its pods are stopped, and the same command resumes it");
    assertThat(get("slow-b").tree().at("/spec/suspend").asBoolean(false)).isTrue();
    Recorded again =
        stint(124, "run", directory.resolve("slow-b.yaml").toString(), "--timeout", "300ms");
    assertThat(again.err()).anyMatch(line -> line.startsWith("stint: slow-b: goes on"));
    assertThat(get("slow-b").tree().at("/spec/suspend").asBoolean(false)).isFalse();

    Stopped cancelled = stopped("slow-c", "INT", "c\n", true);
    assertThat(cancelled.status()).isEqualTo(130);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> JobStatus.read(get("slow-c").status()).isTrue("Failed"));
    assertThat(stint(0, "show", "slow-c").out())
        .contains(
            "slow-c in team: Failed (Cancelled)",
            "  why: cancelled by stint run (which set its activeDeadlineSeconds to 1)");
  }

  @Test
  void aSuspendedJobIsCancelledAtMostLater() throws Exception {
    String text =
        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'asleep','namespace':"
            + "'team'},'spec':{'suspend':true,'template':{'spec':{'restartPolicy':'Never',"
            + "'containers':[{'name':'main','image':'busybox'}]}}}}";
    create(text);
    assertThat(stint(0, "cancel", "asleep").out())
        .singleElement()
        .asString()
        .startsWith("asleep: stays suspended, as you may not write its status; ");
  }

  @Test
  void aServiceStopLeavesTheJobRunning() throws Exception {
    assertThat(stopped("slow-term", "TERM", "c\n", true).status()).isEqualTo(143);
    assertThat(JobStatus.read(get("slow-term").status()).active()).isEqualTo(2);
    assertThat(stopped("slow-hup", "HUP", "c\n", true).status()).isEqualTo(129);
    assertThat(JobStatus.read(get("slow-hup").status()).active()).isEqualTo(2);
  }
}
