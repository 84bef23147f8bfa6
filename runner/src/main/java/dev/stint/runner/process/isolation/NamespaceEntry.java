package dev.stint.runner.process.isolation;

import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.ShellScripts;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.SecurityContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs further commands in the namespace of a running container. */
public record NamespaceEntry(MachineCapabilities machine) {
  /** The interval between checks, and their number, while a container starts. */
  private static final Duration LOOK = Duration.ofMillis(2);

  private static final int LOOKS = 5000;

  private static final String OPEN = "exec 3>&2 9<\"$1\" && shift && exec \"$@\"";

  /**
   * Returns the command line that runs a command in a container's namespace and as its user.
   *
   * @throws IOException the container does not run
   */
  public Command enter(ContainerRun run, AttemptDir attempt, Command command) throws IOException {
    boolean namespaced = Arrangement.isNamespaced(attempt);
    List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", OPEN, ShellScripts.ENTER_NAME));
    argv.add(attempt.environmentFile().toString());
    if (namespaced) {
      argv.addAll(List.of(machine.known("nsenter"), "--target=" + process(run, attempt)));
      if (!machine.identity().isRoot()) {
        argv.addAll(List.of("--user", "--preserve-credentials"));
      }
      argv.addAll(List.of("--mount", "--root"));
      if (Hidden.hidesProcesses(attempt)) {
        argv.add("--pid");
      }
    }
    Setpriv setpriv = new Setpriv(SecurityContext.of(run.pod(), run.container()));
    argv.addAll(
        Arrangement.become(
            setpriv.prefix(machine.known("setpriv"), machine.identity(), namespaced), command));
    return new Command("/", "/bin/sh", argv, command.inherited(), Map.of(), command.declared());
  }

  /** Returns a process in the namespace: a descendant of the shim, which itself is outside. */
  private static long process(ContainerRun run, AttemptDir attempt) throws IOException {
    for (int i = 0; i < LOOKS && attempt.exit().isEmpty(); i++) {
      Optional<Long> inside = inside(attempt);
      if (inside.isPresent()) {
        return inside.get();
      }
      pause();
    }
    throw new IOException("container " + run.name() + " is not running");
  }

  private static Optional<Long> inside(AttemptDir attempt) throws IOException {
    Optional<AttemptDir.Identity> shim = attempt.identity();
    return shim.isPresent() && shim.get().isThere()
        ? ProcessHandle.of(shim.get().pid()).stream()
            .flatMap(ProcessHandle::descendants)
            .map(ProcessHandle::pid)
            .filter(pid -> isArranged(pid, attempt))
            .findFirst()
        : Optional.empty();
  }

  /**
   * True if a process is past the scripts, which its command line names until then, and is none of
   * their programs, which have the file of the container's variables open.
   */
  private static boolean isArranged(long pid, AttemptDir attempt) {
    List<String> words = List.of(AttemptDir.commandLine(Math.toIntExact(pid)).split("\0"));
    boolean gone = words.equals(List.of(""));
    return !gone && Collections.disjoint(words, ShellScripts.NAMES) && !hasOpen(pid, attempt);
  }

  private static boolean hasOpen(long pid, AttemptDir attempt) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/fd/9"))
          .equals(attempt.environmentFile());
    } catch (IOException none) {
      return false;
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(LOOK);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    }
  }
}
