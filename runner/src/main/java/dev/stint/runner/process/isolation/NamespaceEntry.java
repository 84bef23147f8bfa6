package dev.stint.runner.process.isolation;

import dev.stint.runner.proc.ProcessMemory;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * Runs further commands in the namespace and the control groups of a running container.
 *
 * @param memory reads the command lines of its processes, which may be hostile
 */
public record NamespaceEntry(MachineCapabilities machine, ProcessMemory memory) {
  /** The interval between checks, and their number, while a container starts. */
  private static final Duration LOOK = Duration.ofMillis(2);

  private static final int LOOKS = 5000;

  /**
   * Before all else, a command joins the groups that limit the container. Root may do that. Another
   * user who has taken over a container of a session that has ended may not: the kernel allows it
   * below a group of that user only. Then a probe goes on outside, since failing would end the
   * container.
   */
  private static final String OPEN =
      """
      exec 3>&2 9<"$1" || exit 126
      if [ -e "$2" ]; then
        while IFS= read -r __stint_file; do
          { echo 0 >"$__stint_file"; } 2>/dev/null || [ "$3" != root ] || {
            echo "cannot enter the control group of the container, $__stint_file" >&2
            exit 126
          }
        done <"$2"
      fi
      shift 3
      exec "$@"
      """;

  /**
   * Enters, as root, what a process has; its user can change that at any time. So the namespaces
   * are opened first, and the process is looked at then: one that is in our user namespace has
   * never been in another, so that it could not build a mount namespace.
   */
  private static final String ENTER_AS_ROOT =
      """
      cd "/proc/$1" 2>/dev/null && exec 5<ns/mnt 6<ns/pid 7<root || exit 126
      [ ns/user -ef /proc/self/ns/user ] || {
        echo "the container has a user namespace of its own, which root does not enter" >&2
        exit 126
      }
      shift
      exec "$@"
      """;

  /**
   * Returns the command line that runs a command within a container's limits, in its namespace and
   * as its user.
   *
   * @throws IOException the container does not run, or none of its processes can be looked at
   */
  public Command enter(ContainerRun run, AttemptDir attempt, Command command) throws IOException {
    boolean namespaced = ContainerIsolation.isNamespaced(attempt);
    List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", OPEN, ShellScripts.ENTER_NAME));
    argv.add(attempt.environmentFile().toString());
    argv.add(ContainerIsolation.groupsFile(attempt).toString());
    argv.add(machine.identity().isRoot() ? "root" : "another user");
    if (namespaced) {
      long process = process(run, attempt);
      argv.addAll(machine.identity().isRoot() ? asRoot(process, attempt) : asUser(process));
    }
    Setpriv setpriv = new Setpriv(SecurityContext.of(run.pod(), run.container()));
    argv.addAll(
        ContainerIsolation.become(setpriv.entry(machine, namespaced), complete(attempt, command)));
    return new Command(
        "/",
        "/bin/sh",
        argv,
        command.inherited(),
        ContainerIsolation.ENVIRONMENT,
        Map.of(),
        command.declared());
  }

  /** Returns a command that sets the variables which the file of the attempt lacks. */
  private static Command complete(AttemptDir attempt, Command command) throws IOException {
    if (command.odd().isEmpty() || attempt.setsAllVariables()) {
      return command;
    }
    List<String> argv = command.env();
    argv.addAll(command.argv());
    return new Command(
        command.workingDir(),
        command.program(),
        argv,
        command.inherited(),
        command.own(),
        command.odd(),
        command.declared());
  }

  private List<String> asRoot(long process, AttemptDir attempt) {
    List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", ENTER_AS_ROOT));
    argv.addAll(List.of(ShellScripts.ENTER_NAME, String.valueOf(process)));
    argv.add(machine.known("nsenter"));
    argv.addAll(List.of("--mount=/proc/self/fd/5", "--root=/proc/self/fd/7"));
    if (MaskedParts.hidesProcesses(attempt)) {
      argv.add("--pid=/proc/self/fd/6");
    }
    return argv;
  }

  private List<String> asUser(long process) {
    return List.of(
        machine.known("nsenter"),
        "--target=" + process,
        "--user",
        "--preserve-credentials",
        "--mount",
        "--root");
  }

  /** Returns a process in the namespace: a descendant of the shim, which itself is outside. */
  private long process(ContainerRun run, AttemptDir attempt) throws IOException {
    for (int i = 0; i < LOOKS && attempt.exit().isEmpty(); i++) {
      ProcessMemory.Seen<Long> seen = inside(attempt);
      List<Long> inside = seen.found();
      Optional<Long> enterable = inside.stream().filter(this::mayBeEntered).findFirst();
      if (enterable.isPresent()) {
        return enterable.get();
      }
      if (!inside.isEmpty()) {
        throw new IOException(
            "container "
                + run.name()
                + " has a user namespace of its own, which root does not enter: it may hold any"
                + " program in place of the machine's");
      }
      if (!seen.complete()) {
        throw new IOException(
            "container " + run.name() + " has processes whose command lines cannot be read");
      }
      pause();
    }
    throw new IOException("container " + run.name() + " is not running");
  }

  private ProcessMemory.Seen<Long> inside(AttemptDir attempt) throws IOException {
    Optional<AttemptDir.Identity> shim = attempt.identity();
    return shim.isPresent() && shim.get().isThere()
        ? seen(
            memory.look(
                () -> descendants(shim.get().pid()),
                (pid, read) -> arranged(pid, read, attempt),
                () -> {}))
        : new ProcessMemory.Seen<>(List.of(), true);
  }

  private static Stream<Integer> descendants(int shim) {
    return ProcessHandle.of(shim).stream()
        .flatMap(ProcessHandle::descendants)
        .map(process -> Math.toIntExact(process.pid()));
  }

  private static <T> T seen(CompletableFuture<T> look) throws IOException {
    try {
      return look.get();
    } catch (InterruptedException stopped) {
      throw interrupted(stopped);
    } catch (ExecutionException fault) {
      throw new IOException(fault);
    }
  }

  /** True unless we are root and the process has a user namespace of its own. */
  private boolean mayBeEntered(long pid) {
    try {
      return !machine.identity().isRoot()
          || Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/user"))
              .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/user")));
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * Returns a process if it is past the scripts, which its command line names until then, and is
   * none of their programs, which have the file of the container's variables open.
   */
  private static Optional<Long> arranged(int pid, ProcessMemory.Reader reader, AttemptDir attempt)
      throws IOException {
    String words = "\0" + reader.read(pid, ProcessMemory.Part.COMMAND_LINE);
    boolean gone = words.equals("\0");
    boolean ours = ShellScripts.NAMES.stream().anyMatch(name -> words.contains("\0" + name + "\0"));
    return !gone && !ours && !attempt.isArrangedBy(pid)
        ? Optional.of(Long.valueOf(pid))
        : Optional.empty();
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(LOOK);
    } catch (InterruptedException stopped) {
      throw interrupted(stopped);
    }
  }

  private static IOException interrupted(InterruptedException stopped) {
    Thread.currentThread().interrupt();
    return new IOException("interrupted", stopped);
  }
}
