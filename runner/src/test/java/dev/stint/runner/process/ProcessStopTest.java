package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.PodInputs;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The stopping of pods and attempts, and which ends count. */
class ProcessStopTest extends RunnerFixture {
  /** Succeeds at once in an attempt that is not the first. */
  private static final String ONCE = "[ -e $PIPE.begun ] && exit 0; touch $PIPE.begun; ";

  private static final int HANGUP = 1;

  @Test
  void aDeletedPodGetsSigtermAndItsObjectIsRemoved() throws Exception {
    live();
    add("a", READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      cluster.requestDeletion("a", 30);
      assertThat(pipe.readLine()).isNull();
    }
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(143);
  }

  /** Its workers may have to go on until it has saved what they computed. */
  @Test
  void sigtermIsForTheMainProcessAlone() throws Exception {
    String orphan = "sh -c 'trap \"echo orphan\" TERM; while :; do sleep 0.01; done'";
    String worker =
        """
        sh -c '
          trap "echo worker" TERM
          trap "echo saved; ended=1" USR1
          echo ready
          while [ -z "$ended" ]; do sleep 0.01; done'\
        """;
    String main =
        """
        exec >$PIPE
        (%s &)
        trap 'echo main; kill -USR1 $worker; wait $worker; exit 7' TERM
        %s &
        worker=$!
        wait $worker
        """
            .formatted(orphan, worker);
    live();
    add("a", main);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      cluster.requestDeletion("a", 30);
      assertThat(pipe.lines()).containsExactly("main", "saved");
    }
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(7);
  }

  @Test
  void sigtermIsDelayedUntilTheCommandRuns() throws Exception {
    Path go = dir.resolve("go");
    assertThat(new ProcessBuilder("mkfifo", go.toString()).start().waitFor()).isZero();
    spawner =
        (argv, environment, files) -> {
          List<String> late =
              new ArrayList<>(List.of("/bin/sh", "-c", "read _ <" + go + "; exec \"$0\" \"$@\""));
          late.addAll(argv);
          return Posix.spawn(late, environment, files);
        };
    live();
    cluster.put(PodCluster.newPod("a", "sleep", "1000"));
    BufferedWriter held = Files.newBufferedWriter(go);
    cluster.requestDeletion("a", 30);
    time.whenArmed(Duration.ofMillis(10)).get();
    held.close();
    AttemptDir attempt = AttemptDir.of(dir.resolve("pods"), "uid-a", "main", 0);
    while (!attempt.isUnderWay()) {
      assertThat(Thread.interrupted()).as("the command is too late").isFalse();
    }
    time.advance(Duration.ofMillis(10));
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(143);
  }

  @Test
  void aContainerGetsTheStopSignalThatItNames() throws Exception {
    for (String name : List.of("ABRT", "RTMIN+3", "WINCH", "TERM")) {
      Path pipe = dir.resolve(name);
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
      ObjectNode pod = PodCluster.newPod("a", "bash", "-c", stopsBy(name, pipe));
      ObjectNode container = (ObjectNode) pod.at("/spec/containers/0");
      container.putObject("lifecycle").put("stopSignal", "SIG" + name);
      Life life = live();
      ExitListener listener = new ExitListener();
      ContainerRun run = new ContainerRun(KubeObject.of(pod), container, 0, false, PodInputs.NONE);
      Attempt attempt = life.runtime.start(run, listener);
      try (BufferedReader ready = Files.newBufferedReader(pipe)) {
        assertThat(ready.readLine()).isEqualTo("ready");
        attempt.signal(Attempt.Signal.TERM);
      }
      assertThat(listener.exit.get().code()).as(name).isEqualTo(5);
      life.runtime.forget("uid-a").get();
    }
  }

  @Test
  void aDeletedPodThatIgnoresTermIsKilledAfterItsGrace() throws Exception {
    Life life = live();
    add("a", "trap '' TERM; exec 3>$PIPE; echo ready >&3; while :; do sleep 1000; done");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      cluster.requestDeletion("a", 7);
      time.whenArmed(Duration.ofSeconds(7)).get();
      life.loop.submit(() -> {}).get(); // The container's own timer is armed right after the pod's.
      time.advance(Duration.ofSeconds(7));
      assertThat(pipe.readLine()).isNull();
    }
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(137);
  }

  @Test
  void anAttemptThatASignalToAllEndsBeforeStintKnowsRunsAgain() throws Exception {
    for (int signal : new int[] {HANGUP, 9, TERM}) {
      String name = "a" + signal;
      Life first = live();
      startAndSignal(name, signal);
      time.whenArmed(ProcessAttempt.DOUBT).get();
      first.runner.interrupt().get();
      first.die();
      assertRunsAgain(name);
    }
  }

  @Test
  void anAttemptThatASignalToAllEndsAfterStintRunsAgain() throws Exception {
    Life first = live();
    add("a", ONCE + READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      int shim = pid("a", 0);
      Posix.kill(-shim, TERM);
      assertThat(pipe.readLine()).isNull();
      while (Posix.kill(shim, 0) >= 0 && !AttemptDir.commandLine(shim).isEmpty()) {
        Thread.onSpinWait(); // Until it has recorded the end.
      }
    }
    assertRunsAgain("a");
  }

  @Test
  void anAttemptThatStintDoesNotEndWithFails() throws Exception {
    live();
    startAndSignal("a", TERM);
    time.advanceOnceArmed(ProcessAttempt.DOUBT);
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(143);
    Path record = AttemptDir.of(dir.resolve("pods"), "uid-a", "main", 0).path();
    assertThat(record.resolve("interrupted")).doesNotExist();
  }

  @Test
  void aCommandThatAloneIsEndedFailsAtOnce() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "kill -TERM $$$$"));
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(143);
  }

  @Test
  void aSuccessCountsAtOnceAlthoughItsShimIsToldToEnd() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "trap '' TERM; kill -TERM 0; exit 0"));
    cluster.whenPhase("a", "Succeeded").get();
  }

  private static String stopsBy(String signal, Path pipe) {
    return "trap 'exit 5' %s; echo ready >%s; while :; do sleep 0.01; done".formatted(signal, pipe);
  }

  /** Starts a pod that waits only in its first attempt, and signals its whole group. */
  private void startAndSignal(String name, int signal) throws Exception {
    add(name, ONCE + READY_AND_WAIT);
    try (BufferedReader pipe = openPipe(name)) {
      assertThat(pipe.readLine()).isEqualTo("ready");
    }
    Posix.kill(-pid(name, 0), signal);
  }

  private void assertRunsAgain(String name) throws Exception {
    Life next = live();
    cluster.whenPhase(name, "Succeeded").get();
    assertThat(Json.text(cluster.containerStatus(name), "containerID")).endsWith("/main/1");
    assertThat(cluster.containerStatus(name).path("restartCount").intValue()).isZero();
    assertThat(cluster.statusWrites(name))
        .noneMatch(write -> "Failed".equals(Json.text(write.status(), "phase")));
    next.runner.interruptNow().join();
    next.die();
  }
}
