package dev.stint.runner.process.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of this machine, and of this program's user on it, to isolate containers.
 * Detected once, at the first use.
 */
public final class MachineCapabilities {
  private static final MachineCapabilities HERE = new MachineCapabilities(ProcessIdentity.own());

  private static final List<Path> TOOLS =
      List.of(Path.of("/usr/bin"), Path.of("/bin"), Path.of("/usr/sbin"), Path.of("/sbin"));

  private final ProcessIdentity identity;

  /** Empty if mounts are possible; null before the first try. */
  private @Nullable String whyNoMounts;

  MachineCapabilities(ProcessIdentity identity) {
    this.identity = identity;
  }

  public static MachineCapabilities here() {
    return HERE;
  }

  public ProcessIdentity identity() {
    return identity;
  }

  /** Returns the path of a system program; empty if it is not installed. */
  Optional<String> tool(String name) {
    return TOOLS.stream()
        .map(dir -> dir.resolve(name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** True if a system program is installed. */
  public boolean hasTool(String name) {
    return tool(name).isPresent();
  }

  /** Returns the path of a system program that was looked up before. */
  String known(String name) {
    return tool(name).orElse(name);
  }

  /**
   * Returns why containers cannot have mounts of their own here; empty if they can. Waits, once.
   */
  public synchronized Optional<String> whyNoMounts() {
    String why = whyNoMounts;
    if (why == null) {
      why = tryMounts();
      whyNoMounts = why;
    }
    return Optional.of(why).filter(each -> !each.isEmpty());
  }

  /**
   * Returns what can be hidden here of a directory and of processes.
   *
   * @param why receives what cannot be hidden, and why; waits for a try
   */
  public MaskedParts hide(Path directory, Consumer<String> why) {
    Optional<String> noMounts = whyNoMounts();
    if (noMounts.isPresent()) {
      why.accept(
          "pods see the processes of this machine and the path "
              + directory
              + ": "
              + noMounts.get());
      return MaskedParts.NOTHING;
    }
    String fault = tryProcesses();
    if (!fault.isEmpty()) {
      why.accept("pods see the processes of this machine: " + fault);
    }
    return new MaskedParts(directory, fault.isEmpty());
  }

  private String tryProcesses() {
    List<String> argv = unshare(new MaskedParts(null, true));
    argv.addAll(List.of(known("mount"), "-n", "-t", "proc", "proc", "/proc"));
    return tried(argv, "this system does not let this user hide them");
  }

  /**
   * Returns the start of a command line whose rest runs in a mount namespace of its own, and in
   * others that hide things.
   */
  List<String> unshare(MaskedParts hidden) {
    List<String> argv = new ArrayList<>(List.of(known("unshare"), "--mount"));
    argv.addAll(hidden.unshare());
    if (!identity.isRoot()) {
      argv.addAll(List.of("--user", "--map-current-user", "--keep-caps"));
    }
    return argv;
  }

  private String tryMounts() {
    for (String name : List.of("unshare", "mount", "stat", "chroot", "setpriv", "nsenter")) {
      if (tool(name).isEmpty()) {
        return "the program " + name + " is not installed (packages util-linux and coreutils)";
      }
    }
    List<String> argv = unshare(MaskedParts.NOTHING);
    argv.addAll(List.of(known("mount"), "-n", "--rbind", "/", "/"));
    return tried(argv, "this system does not let this user mount");
  }

  /** Runs a command; returns why it failed, or nothing. */
  private static String tried(List<String> argv, String failure) {
    try {
      Process process =
          new ProcessBuilder(argv)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? "" : failure + " (" + said + ")";
    } catch (IOException fault) {
      return String.valueOf(fault.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }
}
