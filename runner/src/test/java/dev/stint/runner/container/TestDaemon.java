package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A daemon for one test: images, containers and socket are in its own directory. It has one image,
 * with Debian's busybox-static. Nothing is pulled.
 */
abstract class TestDaemon {
  /** The kinds of daemons. */
  enum Kind {
    PODMAN {
      @Override
      TestDaemon start() throws Exception {
        return new Podman();
      }
    },
    DOCKER {
      @Override
      TestDaemon start() throws Exception {
        return new Docker();
      }
    };

    boolean keepsLogsWhileAway() {
      return this == PODMAN;
    }

    /** The prefix of its containers' IDs. */
    String scheme() {
      return name().toLowerCase(Locale.ROOT) + "://";
    }

    /** Starts one; skips the test if it is not installed, or may not run. */
    abstract TestDaemon start() throws Exception;
  }

  static final String IMAGE = "stint.test/busybox:1";
  private static final Path BUSYBOX = Path.of("/bin/busybox");
  private static final long TIMEOUT_SECONDS = 60;

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

  private final Path dir;
  private @Nullable Process service;

  /**
   * @param programs the required programs
   */
  TestDaemon(String... programs) throws Exception {
    for (String program : programs) {
      assumeTrue(installed(program), "SKIPPED: " + program + " is not installed");
    }
    assumeTrue(Files.isExecutable(BUSYBOX), "SKIPPED: busybox-static is not installed");
    assumeTrue("root".equals(System.getProperty("user.name")), "SKIPPED: needs root");
    // Short, as the path of a socket must be.
    dir = Files.createTempDirectory("stint-daemon");
    var _ =
        output(
            new ProcessBuilder(
                "sh", "-ec", MAKE_IMAGE, "sh", path("image").toString(), archive().toString()));
  }

  private static boolean installed(String program) {
    return List.of("/usr/local/bin", "/usr/bin", "/usr/sbin").stream()
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** Returns the command line of its service. */
  abstract ProcessBuilder service();

  /** Returns the output of the service once it listens. */
  abstract String listening();

  /** Returns a command line of its client. */
  abstract ProcessBuilder client(List<String> arguments);

  /** Ends and removes all containers. */
  abstract void removeContainers() throws Exception;

  /** Of a file of its own. */
  final Path path(String name) {
    return dir.resolve(name);
  }

  /** The archive that its image was made of. */
  final Path archive() {
    return path("image.tar");
  }

  final Path socket() {
    return path("daemon.sock");
  }

  /** Runs a command of its client and returns what it prints. */
  final String call(String... arguments) throws Exception {
    return output(client(List.of(arguments)));
  }

  /** Starts the service, and returns once it listens. */
  final void startService() throws IOException {
    service = started(service(), listening());
  }

  /** A process that has printed this line. */
  static Process started(ProcessBuilder service, String listening) throws IOException {
    Process started = service.redirectErrorStream(true).start();
    BufferedReader said = started.inputReader();
    List<String> lines = new ArrayList<>();
    for (String line = said.readLine(); ; line = said.readLine()) {
      lines.add(String.valueOf(line));
      assertThat(line).describedAs("what the service said: %s", lines).isNotNull();
      if (line.contains(listening)) {
        break;
      }
    }
    Thread.ofVirtual().start(() -> drain(said));
    return started;
  }

  private static void drain(BufferedReader said) {
    try {
      said.lines().forEach(_ -> {});
    } catch (UncheckedIOException ended) {
      // It was killed, so there is nothing more to read.
    }
  }

  /** Kills the service; containers continue. */
  final void stopService() throws InterruptedException {
    Process running = Objects.requireNonNull(service);
    running.destroyForcibly();
    assertThat(running.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** Asks a process to end, and waits until it has. */
  static void end(Process running) throws InterruptedException {
    running.destroy();
    assertThat(running.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** Ends and removes everything. */
  void close() throws Exception {
    removeContainers();
    end(Objects.requireNonNull(service));
    remove();
  }

  void remove() throws Exception {
    var _ = output(new ProcessBuilder("rm", "-rf", dir.toString()));
  }

  static String output(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).describedAs("%s: %s", builder.command(), said).isZero();
    return said;
  }
}
