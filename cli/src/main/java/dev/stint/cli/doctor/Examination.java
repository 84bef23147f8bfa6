package dev.stint.cli.doctor;

import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonSocket;
import dev.stint.runner.device.LocalDevices;
import dev.stint.runner.spec.ResourceAmount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks at this machine. */
final class Examination {
  private static final Duration DAEMON_TIMEOUT = Duration.ofSeconds(5);

  private final DataLocation data;
  private final Console console;
  private final @Nullable Path socket;
  private final InetSocketAddress listen;

  Examination(DataLocation data, Console console, @Nullable Path socket, InetSocketAddress listen) {
    this.data = data;
    this.console = console;
    this.socket = socket;
    this.listen = listen;
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    // Looked at first: what asks for limits moves this program to a group below its own.
    ControlGroups groups = ControlGroups.here();
    findings.add(system());
    findings.addAll(inScratch());
    findings.add(DataState.of(data));
    findings.add(groups.finding());
    findings.addAll(Isolation.here(groups.version()).findings());
    findings.add(machine(ResourceAmount.ofThisMachine()));
    findings.addAll(ProcessLimits.findings());
    findings.add(gpus(LocalDevices.find().counts()));
    findings.add(containers());
    findings.add(port());
    findings.add(serviceManager());
    return List.copyOf(findings);
  }

  private static Finding system() {
    return Finding.ok(
        "system",
        "%s %s %s, Java %s, user %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                Runtime.version().feature(),
                System.getProperty("user.name")));
  }

  /** Tries a Job and the disk in the file system of the data directory. */
  private List<Finding> inScratch() {
    Path parent = nearestExisting(data.path());
    if (!Files.isDirectory(parent)) {
      return List.of(
          Finding.fault(
              "data directory",
              data.path() + " cannot be made: " + parent + " is a file",
              "name another one with --data"));
    }
    Path scratch;
    try {
      scratch = Files.createTempDirectory(parent, ".stint-doctor-");
    } catch (IOException fault) {
      return List.of(
          Finding.fault(
              "data directory",
              "cannot write in " + parent + " (" + fault.getClass().getSimpleName() + ")",
              "make it writable, or name another data directory with --data"));
    }
    try {
      List<Finding> findings = new ArrayList<>();
      findings.add(TrialRun.in(scratch, console));
      findings.addAll(Disk.of(scratch).findings());
      return findings;
    } catch (IOException fault) {
      return List.of(
          Finding.fault(
              "disk",
              parent + ": " + fault.getMessage(),
              "make it usable, or name another data directory with --data"));
    } finally {
      delete(scratch);
    }
  }

  /** Deletes the directory, which only this user can enter. What cannot be deleted is left. */
  private static void delete(Path scratch) {
    try (Stream<Path> all = Files.walk(scratch)) {
      all.sorted(Comparator.reverseOrder()).forEach(each -> each.toFile().delete());
    } catch (IOException | UncheckedIOException left) {
      // Only a scratch directory; its name says whose it is.
    }
  }

  private static Path nearestExisting(Path path) {
    Path at = path;
    while (!Files.exists(at) && at.getParent() != null) {
      at = Objects.requireNonNull(at.getParent());
    }
    return at;
  }

  static Finding machine(ResourceAmount all) {
    return Finding.ok(
        "CPU and memory",
        "pods may request %s cores and %s"
            .formatted(
                BigDecimal.valueOf(all.milliCpu(), 3).stripTrailingZeros().toPlainString(),
                ByteSizeConverter.brief(all.memoryBytes())));
  }

  static Finding gpus(Map<String, Long> counts) {
    List<String> found =
        counts.entrySet().stream()
            .filter(each -> each.getValue() > 0)
            .map(each -> each.getKey() + ": " + each.getValue())
            .sorted()
            .toList();
    return found.isEmpty()
        ? Finding.note(
            "GPUs",
            "none of NVIDIA or AMD",
            "if there are some, load their driver; name other devices with --device")
        : Finding.ok("GPUs", String.join(", ", found));
  }

  private Finding containers() {
    String subject = "containers";
    Path found;
    try {
      found = DaemonSocket.find(socket, console.environment());
    } catch (DaemonSocket.NotFound none) {
      String why = String.valueOf(none.getMessage());
      int cut = why.indexOf("; ");
      return cut < 0
          ? Finding.note(subject, why, "start Docker or Podman for --runtime container")
          : Finding.note(subject, why.substring(0, cut), why.substring(cut + 2));
    }
    try (Daemon daemon = new Daemon(found, DAEMON_TIMEOUT)) {
      return Finding.ok(subject, daemon.version().name() + " at " + found);
    } catch (DaemonException fault) {
      return Finding.note(
          subject,
          found + " does not answer: " + fault.text(),
          "start its daemon, or join the group that may use it, for --runtime container");
    }
  }

  private Finding port() {
    String subject = "port of stint up";
    String address = listen.getHostString() + ":" + listen.getPort();
    try (ServerSocket tried = new ServerSocket()) {
      tried.setReuseAddress(true);
      tried.bind(listen);
      return Finding.ok(subject, address + " is free");
    } catch (IOException taken) {
      return Finding.note(
          subject,
          address + ": " + taken.getMessage(),
          "nothing is to do if stint up listens there; else use stint up --listen 127.0.0.1:0");
    }
  }

  private Finding serviceManager() {
    String subject = "systemd";
    String own = console.environment().getOrDefault("XDG_RUNTIME_DIR", "");
    if (!own.isEmpty() && Files.isDirectory(Path.of(own, "systemd"))) {
      return Finding.ok(subject, "this user has a service manager");
    }
    return Files.isDirectory(Path.of("/run/systemd/system"))
        ? Finding.note(
            subject,
            "runs this machine, but this session has no service manager of its own",
            "log in by loginctl enable-linger and a new session, to run stint up as a user's unit")
        : Finding.note(
            subject, "does not run this machine", "start stint up by what starts services here");
  }
}
