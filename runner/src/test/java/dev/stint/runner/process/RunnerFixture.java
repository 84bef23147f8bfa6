package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.EventLoop;
import dev.stint.harness.TestTime;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.shim.ShimProgram;
import dev.stint.runner.process.shim.Spawner;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.PodInputs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The runner with real processes. Nothing here waits for time to pass, only for pods in the
 * cluster, and for named pipes, which reach their end once the last process that holds them has
 * ended.
 */
@Timeout(60)
abstract class RunnerFixture {
  /** The shell reports that it is ready, and then waits to be ended. */
  static final String READY_AND_WAIT = "exec 3>$PIPE; echo ready >&3; sleep 1000";

  static final int TERM = 15;

  @TempDir Path dir;
  final PodCluster cluster = new PodCluster();
  final TestTime time = new TestTime();
  final List<Life> lives = new ArrayList<>();
  Spawner spawner = Posix::spawn;

  ShimProgram shim() {
    return ShimProgram.SHELL;
  }

  /** One life of the whole program. */
  final class Life {
    final ExecutorService loop = Executors.newSingleThreadExecutor();
    final ProcessRuntime runtime;
    final Runner runner;

    Life(boolean usePidfds) throws IOException {
      runtime =
          new ProcessRuntime(
              dir.resolve("pods"),
              dir.resolve("logs"),
              Map.of("PATH", System.getenv("PATH"), "INHERITED", "yes"),
              time,
              time,
              ProcessOptions.NONE,
              usePidfds,
              spawner,
              shim());
      runner =
          new Runner(
              cluster,
              runtime,
              new EventLoop(loop, time, time, new Random(1)),
              new RunnerOptions("here", 8, _ -> true, Duration.ofSeconds(1)));
      runner.start().join();
    }

    /** Ends it as kill -9 does: nothing is reported, and nothing is checked any more. */
    void die() {
      runner.close();
      runtime.close();
      loop.close();
    }
  }

  @AfterEach
  void endWhatIsLeft() throws IOException {
    for (Life life : lives) {
      if (!life.loop.isShutdown()) {
        life.runner.interruptNow().join();
        life.die();
      }
    }
    Life last = live();
    last.runner.interruptNow().join();
    last.die();
  }

  static ExitListener start(Life life, String name, String uid) {
    ObjectNode pod = PodCluster.newPod(name, "true");
    pod.withObject("metadata").put("uid", uid);
    ExitListener listener = new ExitListener();
    life.runtime.start(
        new ContainerRun(KubeObject.of(pod), container(pod), 0, false, PodInputs.NONE), listener);
    return listener;
  }

  Life live() throws IOException {
    return live(true);
  }

  Life live(boolean usePidfds) throws IOException {
    Life life = new Life(usePidfds);
    lives.add(life);
    return life;
  }

  /** Adds a pod that runs a script; {@code $PIPE} and {@code $PIPE.go} are named pipes. */
  void add(String name, String script) throws Exception {
    Path pipe = dir.resolve(name + ".pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString(), pipe + ".go").start();
    assertThat(made.waitFor()).isZero();
    ObjectNode pod = PodCluster.newPod(name, "sh", "-c", script);
    container(pod).putArray("env").addObject().put("name", "PIPE").put("value", pipe.toString());
    cluster.put(pod);
  }

  /**
   * Adds a pod whose command starts a daemon, which has no parent and holds {@code $PIPE}.
   *
   * @param starter the program that starts it
   * @param then what the command does then
   */
  void addWithDaemon(String name, String starter, String then) throws Exception {
    add(name, daemon(starter) + "; " + then);
  }

  static String daemon(String starter) {
    String script = "exec 3>$1; echo ready >&3; exec sleep 1000";
    return "(" + starter + " sh -c '" + script + "' daemon $PIPE &)";
  }

  BufferedReader openPipe(String name) throws IOException {
    return Files.newBufferedReader(dir.resolve(name + ".pipe"));
  }

  int pid(String name, int attempt) throws IOException {
    return AttemptDir.of(dir.resolve("pods"), "uid-" + name, "main", attempt)
        .identity()
        .orElseThrow()
        .pid();
  }

  List<String> log(String name, String file) throws IOException {
    return Files.readAllLines(dir.resolve("logs/default/" + name + "/" + name + "/main." + file));
  }

  JsonNode terminated(String name) {
    return cluster.containerStatus(name).at("/state/terminated");
  }

  int lastExitCode(String name) {
    return cluster
        .statusWrites(name)
        .getLast()
        .status()
        .at("/containerStatuses/0/state/terminated/exitCode")
        .intValue();
  }

  static ObjectNode container(ObjectNode pod) {
    return (ObjectNode) pod.at("/spec/containers/0");
  }
}
