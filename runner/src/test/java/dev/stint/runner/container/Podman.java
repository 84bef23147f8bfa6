package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Podman of a test's own: images, containers and socket in a directory of its own, and one image
 * with Debian's busybox-static in it. Nothing is pulled.
 */
final class Podman {
  static final String IMAGE = "stint.test/busybox:1";
  private static final Path BUSYBOX = Path.of("/bin/busybox");
  private static final long PATIENCE_SECONDS = 60;

  private static final String MAKE_IMAGE =
      """
      set -e
      mkdir -p "$1/bin" "$1/tmp" "$1/etc"
      cp /bin/busybox "$1/bin"
      for name in $(/bin/busybox --list); do
        [ -e "$1/bin/$name" ] || ln -s busybox "$1/bin/$name"
      done
      echo root:x:0:0:root:/:/bin/sh >"$1/etc/passwd"
      tar -C "$1" -cf "$2" .
      """;

  private static String conf(Path networks) {
    return """
    [containers]
    default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
    [engine]
    cgroup_manager = "cgroupfs"
    runtime = "runc"
    events_logger = "file"
    [network]
    network_config_dir = "%s"
    """
        .formatted(networks);
  }

  private final Path dir;
  private @Nullable Process service;

  private Podman(Path dir) {
    this.dir = dir;
  }

  /** Starts one; skips the test where it is not installed, or may not run. */
  static Podman start() throws Exception {
    assumeTrue(installed("podman"), "SKIPPED: podman is not installed");
    assumeTrue(installed("runc"), "SKIPPED: runc is not installed");
    assumeTrue(Files.isExecutable(BUSYBOX), "SKIPPED: busybox-static is not installed");
    assumeTrue("root".equals(System.getProperty("user.name")), "SKIPPED: needs root");
    // Short, as the path of a socket must be.
    Podman podman = new Podman(Files.createTempDirectory("stint-podman"));
    Files.writeString(podman.dir.resolve("containers.conf"), conf(podman.dir.resolve("networks")));
    Path tar = podman.dir.resolve("image.tar");
    run("sh", "-ec", MAKE_IMAGE, "sh", podman.dir.resolve("image").toString(), tar.toString());
    podman.call("import", tar.toString(), IMAGE);
    podman.startService();
    return podman;
  }

  private static boolean installed(String program) {
    return List.of("/usr/bin", "/usr/sbin").stream()
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** The archive that its image was made of. */
  Path archive() {
    return dir.resolve("image.tar");
  }

  Path socket() {
    return dir.resolve("podman.sock");
  }

  /** Runs a podman command and returns what it prints. */
  String call(String... args) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command(args));
    builder.environment().put("CONTAINERS_CONF", dir.resolve("containers.conf").toString());
    return output(builder);
  }

  /** Starts the service, and returns once it listens. */
  void startService() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            command("--log-level=info", "system", "service", "--time=0", "unix://" + socket()));
    builder.environment().put("CONTAINERS_CONF", dir.resolve("containers.conf").toString());
    Process started = builder.redirectErrorStream(true).start();
    service = started;
    BufferedReader said = started.inputReader();
    List<String> lines = new ArrayList<>();
    for (String line = said.readLine(); ; line = said.readLine()) {
      lines.add(String.valueOf(line));
      assertThat(line).describedAs("what the service said: %s", lines).isNotNull();
      if (line.contains("API service listening")) {
        break;
      }
    }
    Thread.ofVirtual().start(() -> said.lines().forEach(_ -> {}));
  }

  /** Stops the service; containers go on. */
  void stopService() throws InterruptedException {
    Process running = Objects.requireNonNull(service);
    running.destroyForcibly();
    assertThat(running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** Ends and removes all containers; those that others depend on go in the second round. */
  void removeContainers() throws Exception {
    for (int i = 0; i < 2; i++) {
      ProcessBuilder builder = new ProcessBuilder(command("rm", "--all", "--force", "--time=0"));
      builder.environment().put("CONTAINERS_CONF", dir.resolve("containers.conf").toString());
      builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      var _ = builder.start().onExit().get();
    }
  }

  /** Ends and removes everything. */
  void close() throws Exception {
    removeContainers();
    stopService();
    run("rm", "-rf", dir.toString());
  }

  private List<String> command(String... args) {
    List<String> command = new ArrayList<>(List.of("podman", "--storage-driver=vfs"));
    command.add("--root=" + dir.resolve("root"));
    command.add("--runroot=" + dir.resolve("run"));
    command.add("--tmpdir=" + dir.resolve("tmp"));
    command.addAll(List.of(args));
    return command;
  }

  private static void run(String... command) throws Exception {
    var _ = output(new ProcessBuilder(command));
  }

  private static String output(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    String said =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).describedAs("%s: %s", builder.command(), said).isZero();
    return said;
  }
}
