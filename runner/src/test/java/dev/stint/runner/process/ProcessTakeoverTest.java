package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.model.Json;
import dev.stint.runner.PodCluster;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.shim.FullDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** A runner that takes over what an earlier one left. */
class ProcessTakeoverTest extends RunnerFixture {
  @Test
  void podsOfASubdomainFindEachOtherAlsoThoseThatStartLater() throws Exception {
    findEachOther(false);
  }

  @Test
  void aPodThatWasTakenOverFindsPodsThatStartLater() throws Exception {
    findEachOther(true);
  }

  @Test
  void aRunningProcessIsTakenOverByTheNextLife() throws Exception {
    Life first = live();
    add("a", "exec 3>$PIPE; echo $$ >&3; read _ <$PIPE.go; exit 9");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isNotEmpty();
      first.die();
      Life second = live();
      second.runtime.leftovers().get();
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    cluster.whenPhase("a", "Failed").get();
    assertThat(lastExitCode("a")).isEqualTo(9);
    assertThat(cluster.containerStatus("a").path("restartCount").intValue()).isZero();
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/0");
  }

  @Test
  void aProcessThatEndedWhileTheRunnerWasDownIsReported() throws Exception {
    Life first = live();
    add("a", "exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go; exit 6");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    live();
    cluster.whenPhase("a", "Failed").get();
    assertThat(lastExitCode("a")).isEqualTo(6);
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/0");
  }

  private Path exit() {
    return AttemptDir.of(dir.resolve("pods"), "uid-a", "main", 0).path().resolve("exit");
  }

  /** Has a file of the pod's record that cannot be read: a link that leads to itself. */
  private Path hideExit() throws IOException {
    Path kept = Files.move(exit(), dir.resolve("kept"));
    Files.createSymbolicLink(exit(), exit());
    return kept;
  }

  /** Undoes that in one step, since without the file the attempt would be run again. */
  private void showExit(Path kept) throws IOException {
    Files.move(kept, exit(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The system lacked descriptors for a moment, for one. */
  @Test
  void aLiveProcessIsNotRunTwiceThoughItsRecordCannotBeReadAtFirst() throws Exception {
    Life first = live();
    add(
        "a",
        "echo began >>" + dir + "/began; exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go; exit 9");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      Path kept = hideExit();
      live();
      time.whenArmed(Duration.ofMillis(100)).get();
      showExit(kept);
      time.advance(Duration.ofMillis(100));
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    cluster.whenPhase("a", "Failed").get();
    assertThat(lastExitCode("a")).isEqualTo(9);
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/0");
    assertThat(dir.resolve("began")).hasContent("began\n");
  }

  @Test
  void aProcessWhoseRecordCannotBeReadAtFirstIsToldToEndLater() throws Exception {
    Life first = live();
    add(
        "a",
        "trap 'echo saved; exit 9' TERM; exec >$PIPE; echo ready; while :; do sleep 0.01; done");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      Path kept = hideExit();
      Life second = live();
      time.whenArmed(Duration.ofMillis(100)).get();
      cluster.requestDeletion("a", 30);
      time.whenArmed(Duration.ofSeconds(30)).get();
      second.loop.submit(() -> {}).get(); // It has asked for SIGTERM.
      second.runtime.idleLeftovers().get(); // The watcher knows.
      showExit(kept);
      time.advance(Duration.ofMillis(100));
      assertThat(pipe.lines()).containsExactly("saved");
    }
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(9);
  }

  @Test
  void aProcessThatFilledTheDiskAndEndedIsNotRunAgain() throws Exception {
    try (FullDisk disk = new FullDisk(dir.resolve("pods"))) {
      Life first = live();
      add("a", "exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go; " + disk.fill() + "; exit 6");
      try (BufferedReader pipe = openPipe("a")) {
        assertThat(pipe.readLine()).isEqualTo("ready");
        first.die();
        Files.writeString(dir.resolve("a.pipe.go"), "go\n");
        assertThat(pipe.readLine()).isNull();
      }
      disk.empty();
      live();
      cluster.whenPhase("a", "Failed").get();
      assertThat(lastExitCode("a")).isEqualTo(6);
      assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/0");
      endWhatIsLeft();
    }
  }

  @Test
  void aLogThatGrewTooLargeWhileTheRunnerWasDownIsTruncated() throws Exception {
    Life first = live();
    add("a", "exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go; head -c 60000000 /dev/zero");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    live();
    cluster.whenPhase("a", "Succeeded").get();
    endWhatIsLeft();
    long given = 60_000_000 - LogLimits.DEFAULT.attemptBytes() / 4 * 3;
    assertThat(log("a", "0.times").getFirst()).startsWith("O " + given + " ");
  }

  @Test
  void aLostAttemptIsRunAgainInTheSamePod() throws Exception {
    Life first = live();
    add("a", "[ -e " + dir + "/again ] && exit 0; " + READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      Posix.kill(-pid("a", 0), 9);
      assertThat(pipe.readLine()).isNull();
    }
    Files.writeString(dir.resolve("again"), "");
    live();
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(cluster.containerStatus("a").path("restartCount").intValue()).isZero();
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/1");
  }

  @Test
  void anInterruptedAttemptIsRunAgainWhateverItsExitCode() throws Exception {
    Life first = live();
    add(
        "a",
        "[ -e "
            + dir
            + "/again ] && exit 0; trap 'exit 0' TERM; exec 3>$PIPE; echo ready >&3; sleep 1000 & wait");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.runner.interrupt().get();
      assertThat(pipe.readLine()).isNull();
    }
    assertThat(cluster.phase("a")).isEqualTo("Pending");
    first.die();
    Files.writeString(dir.resolve("again"), "");
    live();
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/1");
    assertThat(cluster.statusWrites("a")).hasSize(1);
  }

  @Test
  void processesOfRemovedPodsAreEndedAndTheirRecordIsRemoved() throws Exception {
    Life first = live();
    add("a", READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      cluster.remove("a");
      live();
      assertThat(pipe.readLine()).isNull();
    }
    Life last = lives.getLast();
    last.runtime.forget("uid-a").get();
    assertThat(dir.resolve("pods/uid-a")).doesNotExist();
    assertThat(dir.resolve("logs/default/a/a/main.0.stdout")).exists();
  }

  private void findEachOther(boolean restarted) throws Exception {
    assumeTrue(MachineCapabilities.here().whyNoMounts().isEmpty());
    Life life = live();
    for (int i = 0; i < 2; i++) {
      String name = "job-" + i;
      String script =
          "echo >$OUT.up; until getent hosts job-%d.peers >$OUT; do sleep 0.01; done; echo $IP >>$OUT"
              .formatted(1 - i);
      ObjectNode pod =
          PodCluster.newPod(name, "sh", "-c", script.replace("$OUT", dir + "/" + name));
      pod.withObject("spec").put("subdomain", "peers");
      ObjectNode variable =
          ((ObjectNode) pod.at("/spec/containers/0")).putArray("env").addObject().put("name", "IP");
      variable.putObject("valueFrom").putObject("fieldRef").put("fieldPath", "status.podIP");
      Path up = dir.resolve(name + ".up");
      assertThat(new ProcessBuilder("mkfifo", up.toString()).start().waitFor()).isZero();
      cluster.put(pod);
      assertThat(Files.readAllLines(up)).as("it has started").hasSize(1);
      if (i == 0 && restarted) {
        life.die();
        live();
      }
    }
    cluster.whenPhase("job-1", "Succeeded").get();
    cluster.whenPhase("job-0", "Succeeded").get();
    for (int i = 0; i < 2; i++) {
      String own = Json.text(cluster.pod("job-" + i).status(), "podIP");
      String other = Json.text(cluster.pod("job-" + (1 - i)).status(), "podIP");
      List<String> printed = Files.readAllLines(dir.resolve("job-" + i));
      assertThat(printed.getFirst()).startsWith(other + " ");
      assertThat(printed.getLast()).isEqualTo(own).startsWith("127.").isNotEqualTo("127.0.0.1");
    }
  }
}
