package dev.stint.runner.process;

import dev.stint.runner.ContainerRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The way into what was arranged for a container that runs, for commands beside its own. */
record Entrance(Machine machine) {
  private static final String SCRIPT = "exec 3>&2\n" + Scripts.ENTER;

  /**
   * The command line that runs a command in a container's namespace and as its user.
   *
   * @throws IOException the container does not run
   */
  Command into(ContainerRun run, AttemptDir attempt, Command command) throws IOException {
    boolean namespaced = Arrangement.namespaced(attempt);
    List<String> argv = new ArrayList<>();
    if (namespaced) {
      argv.addAll(List.of(machine.known("nsenter"), "--target=" + process(run, attempt)));
      if (!machine.identity().root()) {
        argv.addAll(List.of("--user", "--preserve-credentials"));
      }
      argv.addAll(List.of("--mount", "--root"));
    }
    argv.addAll(List.of("/bin/sh", "-c", SCRIPT, "stint-enter"));
    argv.addAll(List.of(command.workingDir(), command.program()));
    SecurityContext security = SecurityContext.of(run.pod(), run.container());
    argv.addAll(security.prefix(machine.known("setpriv"), machine.identity(), namespaced));
    argv.addAll(command.argv());
    return new Command("/", "/bin/sh", argv, command.environment(), command.declared());
  }

  /** A process that is in there: the child of the shim, which itself is not. */
  private static long process(ContainerRun run, AttemptDir attempt) throws IOException {
    Optional<AttemptDir.Identity> shim = attempt.identity();
    if (shim.isPresent() && attempt.isRunBy(shim.get().pid())) {
      Optional<ProcessHandle> child =
          ProcessHandle.of(shim.get().pid()).stream().flatMap(ProcessHandle::children).findFirst();
      if (child.isPresent()) {
        return child.get().pid();
      }
    }
    throw new IOException("container " + run.name() + " does not run");
  }
}
