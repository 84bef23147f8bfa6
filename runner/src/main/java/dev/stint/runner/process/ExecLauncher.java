package dev.stint.runner.process;

import dev.stint.model.KubeObject;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.proc.ProcessMemory;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.isolation.IsolationFactory;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.isolation.NamespaceEntry;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodInputs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts further commands in running containers: exec probes, hooks, and {@code kubectl exec}. Its
 * methods may wait, on any thread.
 */
final class ExecLauncher {
  private final Function<KubeObject, Command.Context> contexts;
  private final MachineCapabilities machine;
  private final Path podsDir;
  private final ProcessMemory memory;

  /** The inputs of pods, by uid. */
  private final Map<String, PodInputs> inputs = new ConcurrentHashMap<>();

  /** The uids of the pods in which commands ran. */
  private final Set<String> entered = ConcurrentHashMap.newKeySet();

  ExecLauncher(
      Function<KubeObject, Command.Context> contexts,
      MachineCapabilities machine,
      Path podsDir,
      ProcessMemory memory) {
    this.contexts = contexts;
    this.machine = machine;
    this.podsDir = podsDir;
    this.memory = memory;
  }

  /** Stores the inputs of a pod whose container is started. */
  void remember(ContainerRun run) {
    if (!run.inputs().equals(PodInputs.NONE)) {
      inputs.put(run.pod().uid(), run.inputs());
    }
  }

  /** Forgets a pod; true if commands ran in it, which may have left processes. */
  boolean forget(String podUid) {
    inputs.remove(podUid);
    return entered.remove(podUid);
  }

  /** Runs a probe or a hook to its end. */
  Handler.Result handle(ContainerRun run, List<String> argv) {
    try {
      int code = run(command(run, argv));
      return code == 0
          ? Handler.Result.GOOD
          : Handler.Result.bad("command " + argv + " exited with " + code);
    } catch (Command.NotStartable fault) {
      return Handler.Result.bad(String.valueOf(fault.getMessage()));
    } catch (InterruptedException cancelled) {
      return Handler.Result.bad("cancelled");
    } catch (IOException | ExecutionException fault) {
      return Handler.Result.unknown(String.valueOf(fault.getMessage()));
    }
  }

  private static int run(Command command)
      throws IOException, InterruptedException, ExecutionException {
    if (Posix.spawnsElsewhere()) {
      return HandlerProcess.run(command);
    }
    try (ExecProcess process = ExecProcess.startSilently(command)) {
      return process.exitCode().get();
    }
  }

  ExecProcess start(KubeObject pod, ObjectNode container, List<String> argv, boolean tty)
      throws IOException {
    PodInputs known = inputs.getOrDefault(pod.uid(), PodInputs.NONE);
    ContainerRun run = new ContainerRun(pod, container, 0, false, known);
    try {
      return ExecProcess.start(command(run, argv), tty);
    } catch (Command.NotStartable fault) {
      throw new IOException(fault.getMessage(), fault);
    }
  }

  /** Returns the command as it runs in the container's own arrangement. Waits for that. */
  private Command command(ContainerRun run, List<String> argv)
      throws IOException, Command.NotStartable {
    entered.add(run.pod().uid());
    boolean arranged = IsolationFactory.isNeeded(run.pod(), run.container(), machine);
    Optional<AttemptDir> attempt =
        AttemptHistoryOnDisk.read(AttemptDir.containerDir(podsDir, run.pod().uid(), run.name()))
            .map(AttemptHistoryOnDisk::latest);
    Path pod = AttemptDir.podDir(podsDir, run.pod().uid());
    Path message = attempt.map(AttemptDir::messageFile).orElse(pod.resolve("message"));
    Command.Context context = contexts.apply(run.pod());
    Command command =
        Command.forExec(run, argv, IsolationFactory.context(context, run, machine), arranged)
            .with(TerminationMessage.VARIABLE, message.toString());
    if (!arranged) {
      return command;
    }
    AttemptDir running =
        attempt.orElseThrow(() -> new IOException("container " + run.name() + " is not running"));
    return new NamespaceEntry(machine, memory).enter(run, running, command);
  }
}
