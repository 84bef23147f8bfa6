package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * {@code stint run --runtime container} with its own Podman; skipped if Podman is not installed.
 */
@Timeout(180)
@ResourceLock("network of this machine") // A browser fails requests when it changes.
class ContainersTest {
  /** Starts with the service's directory as its argument. */
  private static final String PODMAN =
      """
      set -e
      cd "$1"
      export CONTAINERS_CONF="$1/containers.conf"
      podman="podman --storage-driver=vfs --root=$1/root --runroot=$1/run --tmpdir=$1/tmp"
      """;

  private static final String SERVE =
      """
      cat >containers.conf <<END
      [containers]
      default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
      [engine]
      cgroup_manager = "cgroupfs"
      runtime = "runc"
      events_logger = "file"
      [network]
      network_config_dir = "$1/networks"
      END
      mkdir -p image/bin
      cp /bin/busybox image/bin
      ln -s busybox image/bin/sh
      tar -C image -cf image.tar .
      $podman import image.tar stint.test/cli:1
      exec $podman --log-level=info system service --time=0 "unix://$1/podman.sock"
      """;

  private static final String END =
      """
      $podman rm --all --force --time=0 || $podman rm --all --force --time=0
      cd /
      rm -rf "$1"
      """;

  private Path directory;
  private Process service;

  @BeforeEach
  void start() throws Exception {
    for (String program : List.of("podman", "runc", "busybox")) {
      assumeTrue(
          Stream.of("/usr/bin", "/usr/sbin", "/bin")
              .anyMatch(place -> Files.isExecutable(Path.of(place, program))),
          "SKIPPED: " + program + " is not installed");
    }
    assumeTrue("root".equals(System.getProperty("user.name")), "SKIPPED: needs root");
    // Short, as the path of a socket must be.
    directory = Files.createTempDirectory("stint-cli");
    service = sh(PODMAN + SERVE);
    BufferedReader said = service.inputReader();
    String line = said.readLine();
    while (line != null && !line.contains("API service listening")) {
      line = said.readLine();
    }
    assertThat(line).as("the service ended").isNotNull();
    Thread.ofVirtual().start(() -> said.lines().forEach(_ -> {}));
  }

  @AfterEach
  void end() throws Exception {
    if (service != null) {
      var _ = service.destroyForcibly().waitFor();
      Process end = sh(PODMAN + END);
      var _ = end.getInputStream().readAllBytes();
      assertThat(end.waitFor()).isZero();
    }
  }

  private Process sh(String script) throws Exception {
    return new ProcessBuilder("sh", "-c", script, "sh", directory.toString())
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void aJobRunsInContainersOfItsImage() throws Exception {
    Path file = directory.resolve("job.yaml");
    Files.writeString(
        file,
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: boxed}
        spec: {template: {spec: {restartPolicy: Never, hostname: inside,
          containers: [{name: main, image: 'stint.test/cli:1', command: [sh, -c, 'echo at $HOSTNAME; busybox ls /']}]}}}
        """);
    StintProcess run =
        StintProcess.run(
            directory,
            "run",
            file.toString(),
            "--runtime",
            "container",
            "--container-socket",
            directory.resolve("podman.sock").toString(),
            "--data",
            directory.resolve("data").toString());
    assertThat(run.exitStatus()).as(run.err()).isZero();
    try (Stream<Path> logs = Files.walk(directory.resolve("data/logs/default/boxed"))) {
      Path log = logs.filter(each -> each.toString().endsWith(".stdout")).findFirst().orElseThrow();
      assertThat(Files.readAllLines(log)).contains("at inside", "bin").doesNotContain("home");
    }
  }

  /** The daemon may never come back. */
  @Test
  void aDaemonThatHasGoneDoesNotKeepARunFromEnding() throws Exception {
    Path pipe = directory.resolve("up");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path file = directory.resolve("job.yaml");
    Files.writeString(
        file,
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: boxed}
        spec: {template: {spec: {restartPolicy: Never, terminationGracePeriodSeconds: 1,
          volumes: [{name: host, hostPath: {path: %s}}],
          containers: [{name: main, image: 'stint.test/cli:1', command: [sh, -c, 'echo up >/host/up; exec busybox sleep 1000'],
            volumeMounts: [{name: host, mountPath: /host}]}]}}}
        """
            .formatted(directory));
    StintProcess run =
        StintProcess.start(
            directory,
            "run",
            file.toString(),
            "--runtime",
            "container",
            "--container-socket",
            directory.resolve("podman.sock").toString(),
            "--host-path",
            directory.toString(),
            "--data",
            directory.resolve("data").toString());
    try (BufferedReader up = Files.newBufferedReader(pipe)) {
      assertThat(up.readLine()).isEqualTo("up");
    }
    var _ = service.destroyForcibly().waitFor();
    run.terminate();
    assertThat(run.exitStatus()).as(run.err()).isEqualTo(143);
    assertThat(run.err())
        .contains(
            "the container daemon does not answer: 1 pod may still run, until the next start");
    // Another runtime would not end it.
    assertThat(directory.resolve("data/runtime")).hasContent("container");
  }
}
