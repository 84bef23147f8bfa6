package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.PodCluster;
import dev.stint.runner.log.AttemptRecords;
import dev.stint.runner.proc.BootId;
import dev.stint.runner.process.command.Posix;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The start and end of commands, and their view of the machine. */
class ProcessStartTest extends RunnerFixture {
  @Test
  void exitCodesAreReported() throws Exception {
    live();
    cluster.put(PodCluster.newPod("good", "true"));
    cluster.put(PodCluster.newPod("bad", "sh", "-c", "exit 3"));
    cluster.whenPhase("good", "Succeeded").get();
    cluster.whenPhase("bad", "Failed").get();
    JsonNode ended = terminated("bad");
    assertThat(ended.path("exitCode").intValue()).isEqualTo(3);
    assertThat(Json.text(ended, "reason")).isEqualTo("Error");
    assertThat(cluster.statusWrites("good")).hasSize(1);
    assertThat(Json.text(cluster.containerStatus("good"), "containerID"))
        .isEqualTo("process://" + BootId.tag(BootId.current()) + "/uid-good/main/0");
  }

  @Test
  void aPodGetsItsLineOfAListWithAnyBytesInIt() throws Exception {
    live();
    ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("name", "list-0").put("namespace", "default");
    map.putObject("data").put("starts", "0\n");
    byte[] lines = "other\ncaf\u00E9 $(PATH) '\n".getBytes(StandardCharsets.ISO_8859_1);
    map.putObject("binaryData").put("lines-0", Base64.getEncoder().encodeToString(lines));
    cluster.put(map);
    ObjectNode pod =
        PodCluster.newPod(
            "a", "/bin/sh", "/stint/items/each", "sh", "-c", "echo $STINT_ITEM $1", "sh", "<{}>");
    pod.withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put("batch.kubernetes.io/job-completion-index", "1");
    pod.withObjectProperty("spec")
        .set(
            "volumes",
            Json.parse(
                    """
                    {"v": [{"name": "v", "projected": {"sources": [{"configMap": {"name": "list-0"}}]}}]}
                    """)
                .get("v"));
    container(pod)
        .putArray("volumeMounts")
        .addObject()
        .put("name", "v")
        .put("mountPath", "/stint/items");
    cluster.put(pod);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(Files.readAllBytes(dir.resolve("logs/default/a/a/main.0.stdout")))
        .isEqualTo(
            "caf\u00E9 $(PATH) ' <caf\u00E9 $(PATH) '>\n".getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void aContainerWhoseVariablesDoubleEachOtherFailsToStart() throws Exception {
    live();
    ObjectNode pod = PodCluster.newPod("a", "true");
    ArrayNode env = ((ObjectNode) pod.at("/spec/containers/0")).putArray("env");
    env.addObject().put("name", "A0").put("value", "0123456789");
    for (int i = 1; i <= 40; i++) {
      String before = "$(A" + (i - 1) + ")";
      env.addObject().put("name", "A" + i).put("value", before + before);
    }
    cluster.put(pod);
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(128);
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("StartError");
    assertThat(Json.text(terminated("a"), "message")).contains("exceed the limit of 2 MiB");
  }

  @Test
  void aPodWithAnEmptyJobNameRuns() throws Exception {
    live();
    ObjectNode pod = PodCluster.newPod("a", "true");
    pod.withObjectProperty("metadata").putObject("labels").put("batch.kubernetes.io/job-name", "");
    cluster.put(pod);
    cluster.whenPhase("a", "Succeeded").get();
  }

  @Test
  void aCommandKilledByASignalHas128PlusItsNumber() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "kill -9 $$$$"));
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(137);
  }

  @Test
  void aWholeGroupKilledFromOutsideIsReportedWithItsSignal() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "kill -9 0"));
    time.advanceOnceArmed(ProcessAttempt.DOUBT);
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(137);
    assertThat(terminated("a").path("signal").intValue()).isEqualTo(9);
  }

  @Test
  void withoutPidfdsItIsTheSame() throws Exception {
    live(false);
    cluster.put(PodCluster.newPod("good", "true"));
    cluster.put(PodCluster.newPod("bad", "sh", "-c", "exit 3"));
    cluster.whenPhase("good", "Succeeded").get();
    cluster.whenPhase("bad", "Failed").get();
    assertThat(terminated("bad").path("exitCode").intValue()).isEqualTo(3);
  }

  @Test
  void theCommandSeesItsEnvironmentWorkingDirectoryAndArguments() throws Exception {
    live();
    Path work = Files.createDirectory(dir.resolve("work"));
    ObjectNode pod =
        PodCluster.newPod(
            "a",
            "sh",
            "-c",
            "echo \"$PWD\"; echo \"$INHERITED $NAME $HOSTNAME $STINT_POD_UID $*\"");
    ObjectNode container = container(pod);
    container.put("workingDir", work + "/../work");
    container.putArray("args").add("sh").add("$(NAME)").add("two words");
    container
        .putArray("env")
        .addObject()
        .put("name", "NAME")
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", "metadata.name");
    cluster.put(pod);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(log("a", "0.stdout")).containsExactly(work.toString(), "yes a a uid-a a two words");
  }

  @Test
  void namesOfVariablesThatNoShellKnowsArriveToo() throws Exception {
    live();
    ObjectNode pod = PodCluster.newPod("a", "env");
    container(pod).putArray("env").addObject().put("name", "odd.name-1").put("value", "kept");
    cluster.put(pod);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(log("a", "0.stdout"))
        .contains("odd.name-1=kept", "PWD=" + Path.of("").toAbsolutePath());
    assertThat(log("a", "0.stdout")).noneMatch(line -> line.startsWith("OLDPWD="));
  }

  @Test
  void theCommandHasNoOtherFilesAndDefaultSignalHandlers() throws Exception {
    live();
    cluster.put(
        PodCluster.newPod(
            "a", "sh", "-c", "ls /proc/$$$$/fd; grep -E '^Sig(Blk|Ign)' /proc/self/status"));
    cluster.whenPhase("a", "Succeeded").get();
    List<String> lines = log("a", "0.stdout");
    assertThat(lines).startsWith("0", "1", "2").hasSize(5);
    for (String signals : lines.subList(3, 5)) {
      // The C library ignores two signals for its own use, which are beyond the standard ones.
      long set = Long.parseUnsignedLong(signals.substring(signals.indexOf('\t') + 1), 16);
      assertThat(set & 0x7fff_ffffL).as(signals).isZero();
    }
  }

  @Test
  void aCommandThatCannotStartFailsAtOnceWithAReason() throws Exception {
    live();
    Path script = Files.writeString(dir.resolve("script"), "#!/no/such/interpreter\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Path plain = Files.writeString(dir.resolve("plain"), "");
    assertThat(startError(PodCluster.newPod("missing", "no-such-command")))
        .startsWith("cannot run \"no-such-command\": not found in PATH");
    assertThat(startError(PodCluster.newPod("path", "/no/such")))
        .isEqualTo("cannot run \"/no/such\": no such file on this machine");
    assertThat(startError(PodCluster.newPod("plain", plain.toString())))
        .isEqualTo("cannot run \"" + plain + "\": the file is not executable");
    assertThat(startError(PodCluster.newPod("script", script.toString())))
        .isEqualTo("cannot run \"" + script + "\": it or its interpreter was not found");
    assertThat(startError(PodCluster.newPod("none"))).contains("no command", "set command");
    ObjectNode nowhere = PodCluster.newPod("nowhere", "true");
    container(nowhere).put("workingDir", "/no/such");
    assertThat(startError(nowhere)).startsWith("workingDir \"/no/such\"");
  }

  @Test
  void aCommandThatExitsWith127ItselfHasNoStartError() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "exit 127"));
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(127);
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("Error");
  }

  @Test
  void aMachineThatCannotForkNowIsAskedAgainAndNoAttemptFails() throws Exception {
    AtomicInteger refusals = new AtomicInteger(2);
    spawner =
        (argv, environment, files) ->
            refusals.getAndDecrement() > 0 ? -Posix.EAGAIN : Posix.spawn(argv, environment, files);
    assertFirstAttemptSucceedsWithItsThirdStart();
  }

  @Test
  void aShimThatEndsBeforeItsCommandIsReplacedAndNoAttemptFails() throws Exception {
    AtomicInteger broken = new AtomicInteger(2);
    List<String> ends = List.of("/bin/sh", "-c", "read _ <&4; exit 1");
    spawner =
        (argv, environment, files) ->
            Posix.spawn(broken.getAndDecrement() > 0 ? ends : argv, environment, files);
    assertFirstAttemptSucceedsWithItsThirdStart();
  }

  @Test
  void aContainerThatCannotBePreparedFailsWithTheReason() throws Exception {
    live();
    Files.createDirectories(dir.resolve("logs/default"));
    Files.writeString(dir.resolve("logs/default/a"), "in the way");
    cluster.put(PodCluster.newPod("a", "true"));
    time.advanceOnceArmed(Duration.ofMillis(100));
    cluster.whenPhase("a", "Failed").get();
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("StartError");
    assertThat(Json.text(terminated("a"), "message"))
        .startsWith("cannot prepare the container: ")
        .contains("logs/default/a");
  }

  @Test
  void aPodDeletedWhileItsStartIsTriedAgainFailsWithoutHavingStarted() throws Exception {
    spawner = (_, _, _) -> -Posix.EAGAIN;
    live();
    cluster.put(PodCluster.newPod("a", "true"));
    time.whenArmed(Duration.ofMillis(100)).get();
    cluster.requestDeletion("a", 30);
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(137);
  }

  @Test
  void aFailingContainerIsRestartedAndEveryAttemptKeepsItsLog() throws Exception {
    live();
    ObjectNode pod =
        PodCluster.newPod("a", "sh", "-c", "echo try; [ -e " + dir + "/third ] || exit 5");
    pod.withObjectProperty("spec").put("restartPolicy", "OnFailure");
    cluster.put(pod);
    time.whenArmed(Duration.ofSeconds(10)).get();
    time.advance(Duration.ofSeconds(1));
    cluster.when("a", each -> each != null && !cluster.statusWrites("a").isEmpty()).get();
    JsonNode status = cluster.containerStatus("a");
    assertThat(status.path("restartCount").intValue()).isEqualTo(1);
    assertThat(status.at("/state/waiting/reason").stringValue()).isEqualTo("CrashLoopBackOff");
    assertThat(status.at("/lastState/terminated/exitCode").intValue()).isEqualTo(5);
    Files.writeString(dir.resolve("third"), "");
    time.advance(Duration.ofSeconds(9));
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(cluster.containerStatus("a").path("restartCount").intValue()).isEqualTo(2);
    endWhatIsLeft();
    assertThat(AttemptRecords.read(dir.resolve("logs/default/a")))
        .extracting(record -> record.path("exitCode").intValue())
        .containsExactly(5, 5, 0);
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThat(log("a", attempt + ".stdout")).containsExactly("try");
    }
  }

  private void assertFirstAttemptSucceedsWithItsThirdStart() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "true"));
    for (int delay : new int[] {100, 200}) {
      time.advanceOnceArmed(Duration.ofMillis(delay));
    }
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/0");
  }

  private String startError(ObjectNode pod) throws Exception {
    cluster.put(pod);
    String name = String.valueOf(Json.text(pod.get("metadata"), "name"));
    cluster.whenPhase(name, "Failed").get();
    assertThat(Json.text(terminated(name), "reason")).isEqualTo("StartError");
    assertThat(terminated(name).path("exitCode").intValue()).isEqualTo(128);
    return String.valueOf(Json.text(terminated(name), "message"));
  }
}
