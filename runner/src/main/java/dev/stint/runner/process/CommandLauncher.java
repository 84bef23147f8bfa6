package dev.stint.runner.process;

import dev.stint.cluster.Timers;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.isolation.ContainerIsolation;
import dev.stint.runner.process.isolation.IsolationFactory;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.shim.ProcessWatcher;
import dev.stint.runner.process.shim.ShimScript;
import dev.stint.runner.process.shim.Shims;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts the commands of containers, each under a shim and in the isolation that its container asks
 * for. For the watcher's thread.
 */
final class CommandLauncher {
  private static final Logger LOG = LoggerFactory.getLogger(CommandLauncher.class);
  private static final Duration MOMENT = Duration.ofMillis(100);

  private final Function<KubeObject, Command.Context> contexts;
  private final IsolationFactory arranger;
  private final MachineCapabilities machine;
  private final SpareDirs spares;
  private final ProcessLogs logs;
  private final Shims shims;
  private final Timers timers;
  private final ProcessWatcher watcher;
  private final DiskSpace space = new DiskSpace();

  CommandLauncher(
      Function<KubeObject, Command.Context> contexts,
      IsolationFactory arranger,
      MachineCapabilities machine,
      SpareDirs spares,
      ProcessLogs logs,
      Shims shims,
      Timers timers,
      ProcessWatcher watcher) {
    this.contexts = contexts;
    this.arranger = arranger;
    this.machine = machine;
    this.spares = spares;
    this.logs = logs;
    this.shims = shims;
    this.timers = timers;
    this.watcher = watcher;
  }

  /**
   * Starts the command of an attempt.
   *
   * @param first true if this is the first try: then a shim may make the directories
   * @param onEnd called once it has ended
   * @return the process group, or a negated errno
   */
  int launch(
      ContainerRun run, AttemptDir dir, LogFiles files, boolean first, Consumer<Shims.End> onEnd)
      throws IOException, Command.NotStartable {
    boolean arranged = isArranged(run);
    boolean plain = first && !arranged && isOnlyContainer(run);
    Command.Context context = contexts.apply(run.pod());
    Command command = Command.of(run, IsolationFactory.context(context, run, machine), arranged);
    Optional<Path> spareDir = plain ? spares.take(dir) : Optional.empty();
    if (spareDir.isEmpty()) {
      dir.create();
    }
    Optional<Path> spareLogs = logs.makeDir(files, run.pod().uid(), plain);
    if (arranged) {
      arranger.shareLogs(run, files);
    }
    Optional<ContainerIsolation> arrangement =
        arranged ? Optional.of(arranger.arrange(run, dir, command)) : Optional.empty();
    int result = 0;
    try {
      String script =
          arrangement.isPresent()
              ? ShimScript.text(
                  ContainerIsolation.ENVIRONMENT,
                  "/",
                  files,
                  spareLogs,
                  prepare(arrangement.get(), run, command, dir))
              : plainScript(run, command, dir, files, spareLogs);
      Consumer<Shims.End> close = _ -> arrangement.ifPresent(ContainerIsolation::close);
      result =
          shims.run(dir, spareDir, script, arranged, context.surroundings(), close.andThen(onEnd));
      return result;
    } finally {
      if (result <= 0) {
        arrangement.ifPresent(ContainerIsolation::close);
      }
    }
  }

  /** True if a container needs an arrangement. */
  boolean isArranged(ContainerRun run) {
    return IsolationFactory.isNeeded(run.pod(), run.container(), machine);
  }

  /** True if volumes of a container are to be filled before its command is launched. */
  boolean needsFiles(ContainerRun run) {
    return arranger.needsFiles(run);
  }

  /** Fills the volumes of a container; on any thread but the watcher's. */
  void makeFiles(ContainerRun run) throws IOException, Command.NotStartable {
    arranger.makeFiles(run);
  }

  private static boolean isOnlyContainer(ContainerRun run) {
    ArrayNode containers = Json.arrayAt(run.pod().spec(), "containers");
    ArrayNode initial = Json.arrayAt(run.pod().spec(), "initContainers");
    return containers != null && containers.size() == 1 && (initial == null || initial.isEmpty());
  }

  private String plainScript(
      ContainerRun run, Command command, AttemptDir dir, LogFiles files, Optional<Path> spareLogs) {
    Map<String, String> variables = variables(run, command, dir);
    List<String> argv = new ArrayList<>();
    if (shims.areCompiled()) {
      variables.putAll(command.odd());
    } else {
      argv.addAll(command.env());
    }
    argv.addAll(command.argv());
    return ShimScript.text(variables, command.workingDir(), files, spareLogs, argv);
  }

  private List<String> prepare(
      ContainerIsolation arrangement, ContainerRun run, Command command, AttemptDir dir)
      throws IOException {
    arrangement.prepare(dir);
    // Not by the shim: setpriv and the programs before it may run as another user, with its rights.
    Map<String, String> variables = variables(run, command, dir);
    // Its inherited value is replaced until then.
    String locale = command.inherited().plain().get(ContainerIsolation.LOCALE);
    if (locale != null) {
      variables.putIfAbsent(ContainerIsolation.LOCALE, locale);
    }
    dir.writeEnvironment(ShimScript.commands(variables, command.env()));
    return arrangement.argv(command, dir, machine);
  }

  private Map<String, String> variables(ContainerRun run, Command command, AttemptDir dir) {
    Map<String, String> variables = new TreeMap<>(command.own());
    variables.put(TerminationMessage.VARIABLE, dir.messageFile().toString());
    if (!command.declared().values().containsKey("HOME")) {
      IsolationFactory.home(run.pod(), run.container(), machine)
          .ifPresent(home -> variables.put("HOME", home));
    }
    return variables;
  }

  /** Adds the pods to the hosts file of an attempt that have started since it did. */
  void updateHosts(ContainerRun run, AttemptDir dir) throws IOException {
    arranger.updateHosts(run.pod().uid(), dir);
  }

  /** Records that a group is about to be signalled, which leaves it in an unknown state. */
  void markSignalled(int group) {
    shims.spoil(group);
  }

  /** Releases what was arranged around an attempt that has ended, and returns its full outcome. */
  Exit release(ContainerRun run, AttemptDir dir, LogFiles files, Exit exit) {
    Exit known = exit;
    if (exit.code() != 0 && arranger.wasOutOfMemory(run, dir)) {
      markOutOfMemory(run, dir);
      known = exit.withReason(Exit.OOM_KILLED);
    }
    removeArrangement(run, dir);
    return TerminationMessage.added(known, run.container(), dir.messageFile(), files);
  }

  /** Returns the outcome with a full file system as the reason, if there is one. */
  Exit explained(ContainerRun run, AttemptDir dir, LogFiles files, Exit exit) {
    if (!exit.isError()) {
      return exit;
    }
    Path defaultDir = contexts.apply(run.pod()).defaultDir();
    Path workingDir = Command.workingDir(run.container(), defaultDir);
    boolean inVolume = isInVolume(run.container(), workingDir);
    return space.explained(
        exit, inVolume ? files.dir() : workingDir, files.dir(), arranger.volumesOf(dir));
  }

  /** True if a volume hides this machine's directory of that path. */
  private static boolean isInVolume(ObjectNode container, Path dir) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    return mounts != null
        && mounts
            .valueStream()
            .anyMatch(mount -> dir.startsWith(mount.path("mountPath").asString("/")));
  }

  private static void markOutOfMemory(ContainerRun run, AttemptDir dir) {
    try {
      dir.markOutOfMemory();
    } catch (IOException fault) {
      LOG.warn(
          "Cannot record that container {} of {} ran out of memory; after a restart it is reported"
              + " as killed: {}",
          run.name(),
          run.pod().ref(),
          fault.toString());
    }
  }

  /**
   * Removes an attempt's arrangement. Killed processes may take a moment to end; what is left after
   * a second try is removed with the pod.
   */
  private void removeArrangement(ContainerRun run, AttemptDir dir) {
    if (!arranger.remove(run, dir)) {
      timers.after(MOMENT, () -> watcher.execute(() -> arranger.remove(run, dir)));
    }
  }
}
