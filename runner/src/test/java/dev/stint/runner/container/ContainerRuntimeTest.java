package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.FakeCluster;
import dev.stint.runner.FakeTimers;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The runner with a real Podman, over its Docker-compatible socket. Skipped where Podman is not
 * installed. Nothing waits by time: the cluster and named pipes in a hostPath volume tell.
 */
@Timeout(120)
class ContainerRuntimeTest {
  private static final String BOOT = "boot-1";

  private static Podman podman;

  @TempDir Path dir;
  private final FakeCluster cluster = new FakeCluster();
  private final FakeTimers timers = new FakeTimers(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<Life> lives = new ArrayList<>();

  /** One life of the whole program. */
  private final class Life {
    final ExecutorService loop = Executors.newSingleThreadExecutor();
    final ContainerRuntime runtime;
    final Runner runner;

    Life(String bootId) throws IOException {
      runtime =
          ContainerRuntime.open(
              dir.resolve("pods"),
              dir.resolve("logs"),
              podman.socket(),
              timers,
              timers,
              new ContainerOptions(List.of(dir)),
              bootId);
      RunnerOptions options = new RunnerOptions("here", 8, _ -> true, Duration.ofSeconds(1));
      runner = new Runner(cluster, runtime, loop, timers, timers, options);
      runner.start().join();
    }

    /** As kill -9 would: nothing is told to anybody, and nobody looks any more. */
    void die() {
      runner.close();
      runtime.close();
      loop.close();
    }
  }

  @BeforeAll
  static void startPodman() throws Exception {
    podman = Podman.start();
  }

  @AfterAll
  static void stopPodman() throws Exception {
    if (podman != null) {
      podman.close();
    }
  }

  @AfterEach
  void endWhatIsLeft() throws Exception {
    lives.forEach(Life::die);
    podman.call("rm", "--all", "--force", "--time=0");
  }

  @Test
  void exitCodesAndLogsAreReportedAndNothingIsLeft() throws Exception {
    live();
    add("good", "echo out; echo err >&2");
    add("bad", "exit 3");
    cluster.whenPhase("good", "Succeeded").get();
    cluster.whenPhase("bad", "Failed").get();
    assertThat(terminated("bad").path("exitCode").intValue()).isEqualTo(3);
    assertThat(Json.text(terminated("bad"), "reason")).isEqualTo("Error");
    assertThat(log("good", "0.stdout")).containsExactly("out");
    assertThat(log("good", "0.stderr")).containsExactly("err");
    JsonNode status = cluster.containerStatus("good");
    assertThat(Json.text(status, "containerID")).startsWith("podman://");
    assertThat(Json.text(status, "imageID")).startsWith("stint.test/busybox@sha256:");
    live().runtime.forget("uid-good").get();
    live().runtime.forget("uid-bad").get();
    assertThat(podman.call("ps", "--all", "--quiet")).isBlank();
    assertThat(dir.resolve("pods")).isEmptyDirectory();
  }

  private Life live() throws IOException {
    return live(BOOT);
  }

  private Life live(String bootId) throws IOException {
    Life life = new Life(bootId);
    lives.add(life);
    return life;
  }

  private void add(String name, String script) {
    cluster.add(pod(name, script));
  }

  /** A pod that runs a script; {@code /host} is the test's directory. */
  private ObjectNode pod(String name, String script) {
    ObjectNode pod = FakeCluster.newPod(name, "sh", "-c", script);
    ObjectNode container = container(pod);
    container.put("image", Podman.IMAGE);
    container.putArray("volumeMounts").addObject().put("name", "host").put("mountPath", "/host");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    ObjectNode volume = spec.putArray("volumes").addObject().put("name", "host");
    volume.putObject("hostPath").put("path", dir.toString());
    return pod;
  }

  private static ObjectNode container(ObjectNode pod) {
    return (ObjectNode) pod.at("/spec/containers/0");
  }

  private List<String> log(String name, String file) throws IOException {
    return Files.readAllLines(dir.resolve("logs/default/" + name + "/" + name + "/main." + file));
  }

  private JsonNode terminated(String name) {
    return cluster.containerStatus(name).at("/state/terminated");
  }
}
