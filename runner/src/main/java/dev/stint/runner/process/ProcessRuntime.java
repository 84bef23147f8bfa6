package dev.stint.runner.process;

import dev.stint.cluster.Timers;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.access.RunningPods;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogRetention;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.log.TerminationMessage;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.InheritedEnvironment;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.command.ProgramPath;
import dev.stint.runner.process.isolation.Arrangement;
import dev.stint.runner.process.isolation.ArrangementFactory;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.isolation.NamespaceEntry;
import dev.stint.runner.process.shim.ProcessWatcher;
import dev.stint.runner.process.shim.ShimProgram;
import dev.stint.runner.process.shim.ShimScript;
import dev.stint.runner.process.shim.Shims;
import dev.stint.runner.process.shim.Spawner;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.NetworkCheck;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs containers as processes of this machine. Each is a session and process group of its own. Its
 * leader is a small shim that records the outcome (see {@link ShimProgram}), so that an attempt
 * survives this program.
 *
 * <p>There is no image: {@code command} is looked up on this machine, and the environment is this
 * program's own plus the container's declared variables. Processes that leave their group on
 * purpose ({@code setsid}) are not ended with it.
 *
 * <p>Files: {@code <podsDir>/<pod uid>/<container>/<attempt>/} for the runtime's own record, gone
 * once the pod is forgotten, and {@code <logsDir>/<namespace>/<job or
 * pod>/<pod>/<container>.<attempt>.stdout}, {@code .stderr} and {@code .times}, which stay for a
 * time (see {@link ProcessLogs}). Linux only.
 */
public final class ProcessRuntime implements Runtime, RunningPods, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessRuntime.class);
  private static final String LOCALHOST = "127.0.0.1";
  private static final Duration MOMENT = Duration.ofMillis(100);

  private final Path podsDir;
  private final Path logsDir;
  private final Command.Around around;
  private final InstantSource clock;
  private final Timers timers;
  private final ProcessWatcher edge;
  private final MachineCapabilities machine;
  private final ProcessOptions options;
  private final ArrangementFactory arranger;

  /** Runs deletions. They may wait for the disk for long, and nothing waits for them. */
  private final ExecutorService cleaner =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("stint-cleaner").factory());

  private final String bootId;
  private final Shims shims;
  private final PodRemoval removal;

  /** By uid, for commands beside the containers. */
  private final Map<String, PodInputs> inputs = new ConcurrentHashMap<>();

  // The fields below are used by the edge's thread only.
  private final Set<String> leftovers = new HashSet<>();
  private final Map<String, PodRecord> pods = new HashMap<>();
  private final SpareDirs spares;
  private final ProcessLogs keptLogs;

  /**
   * Opens a runtime over two directories, which are made if they are missing.
   *
   * @param inherited the environment that containers start from; usually {@link System#getenv()}
   */
  public ProcessRuntime(
      Path podsDir, Path logsDir, Map<String, String> inherited, InstantSource clock, Timers timers)
      throws IOException {
    this(podsDir, logsDir, inherited, clock, timers, ProcessOptions.NONE);
  }

  /** Opens a runtime with more permissions. */
  public ProcessRuntime(
      Path podsDir,
      Path logsDir,
      Map<String, String> inherited,
      InstantSource clock,
      Timers timers,
      ProcessOptions options)
      throws IOException {
    this(
        podsDir,
        logsDir,
        inherited,
        clock,
        timers,
        options,
        true,
        Posix::spawn,
        ShimProgram.ofThisProcess());
  }

  ProcessRuntime(
      Path podsDir,
      Path logsDir,
      Map<String, String> inherited,
      InstantSource clock,
      Timers timers,
      ProcessOptions options,
      boolean usePidfds,
      Spawner spawner,
      ShimProgram shim)
      throws IOException {
    this.podsDir = Files.createDirectories(podsDir).toRealPath();
    this.logsDir = Files.createDirectories(logsDir).toRealPath();
    this.around =
        new Command.Around(
            InheritedEnvironment.of(inherited),
            Path.of("").toAbsolutePath(),
            new ProgramPath(clock));
    this.clock = clock;
    this.timers = timers;
    this.options = options;
    this.machine = MachineCapabilities.here();
    this.arranger = new ArrangementFactory(machine, this.podsDir);
    this.bootId = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    this.spares = new SpareDirs(this.podsDir);
    visible(this.podsDir).forEach(pod -> leftovers.add(pod.getFileName().toString()));
    this.edge = new ProcessWatcher(usePidfds);
    this.shims = new Shims(edge, spawner, shim, around.inherited().entries(), bootId, this.podsDir);
    this.keptLogs =
        new ProcessLogs(
            this.logsDir,
            options.logs(),
            shim.isCompiled(),
            cleaner,
            clock,
            timers,
            this::logsInUse);
    this.removal = new PodRemoval(this.podsDir, spares, keptLogs, arranger, timers, cleaner);
  }

  /**
   * Returns the fields of a pod, or of a pod template, that a process does not support.
   *
   * @param podOrTemplate an object with a pod's {@code spec}
   * @param pathPrefix its path, such as {@code spec.template}; empty for a pod
   * @param options the options of the runtime that is to run it
   */
  public static List<FieldError> refusals(
      KubeObject podOrTemplate, String pathPrefix, ProcessOptions options) {
    return ProcessRefusals.of(podOrTemplate, pathPrefix, MachineCapabilities.here(), options);
  }

  @Override
  public List<FieldError> unsupported(KubeObject pod) {
    return refusals(pod, "", options);
  }

  @Override
  public boolean ignoresImages() {
    return true;
  }

  @Override
  public CompletableFuture<Set<String>> leftovers() {
    CompletableFuture<Set<String>> answer = new CompletableFuture<>();
    edge.execute(() -> answer.complete(Set.copyOf(leftovers)));
    return answer;
  }

  @Override
  public Attempt start(ContainerRun run, AttemptListener listener) {
    if (!run.inputs().equals(PodInputs.NONE)) {
      inputs.put(run.pod().uid(), run.inputs());
    }
    ProcessAttempt attempt = new ProcessAttempt(this, run, listener);
    edge.execute(attempt::begin);
    return attempt;
  }

  @Override
  public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
    return switch (handler) {
      case Handler.Exec(List<String> argv) -> NetworkCheck.apart(() -> run(run, argv));
      case Handler.HttpGet get -> NetworkCheck.http(get, LOCALHOST);
      case Handler.TcpSocket tcp -> NetworkCheck.tcp(tcp, LOCALHOST);
      case Handler.Sleep _ -> throw new IllegalArgumentException("the runner sleeps itself");
    };
  }

  private Handler.Result run(ContainerRun run, List<String> argv) throws IOException {
    try (ExecProcess process = ExecProcess.startSilently(beside(run, argv))) {
      int code = process.exitCode().get();
      return code == 0
          ? Handler.Result.GOOD
          : Handler.Result.bad("command " + argv + " exited with " + code);
    } catch (Command.NotStartable fault) {
      return Handler.Result.bad(String.valueOf(fault.getMessage()));
    } catch (InterruptedException cancelled) {
      return Handler.Result.bad("cancelled");
    } catch (ExecutionException fault) {
      throw new IOException(fault);
    }
  }

  @Override
  public CompletableFuture<Optional<String>> overuse(KubeObject pod) {
    CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("stint-sizes")
        .start(() -> {
          try {
            answer.complete(arranger.overuse(pod));
          } catch (IOException | RuntimeException fault) {
            answer.completeExceptionally(fault);
          }
        });
    return answer;
  }

  @Override
  public CompletableFuture<@Nullable Void> forget(String podUid) {
    inputs.remove(podUid);
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    edge.execute(() -> forget(podUid, done));
    return done;
  }

  /** Stops watching. Processes go on, for the next runtime to take over. */
  @Override
  public void close() {
    edge.close();
    shims.close();
    keptLogs.close();
    OrderlyShutdown.end(cleaner, "what is left of pods that are over is not removed yet");
  }

  InstantSource clock() {
    return clock;
  }

  ProcessWatcher edge() {
    return edge;
  }

  ProcessLogs keptLogs() {
    return keptLogs;
  }

  /** Returns the record of a pod. On the edge's thread, like all methods below. */
  PodRecord record(String uid) {
    return pods.computeIfAbsent(uid, PodRecord::new);
  }

  /** Reads a container's history, once, if an earlier life left one. */
  Optional<AttemptHistoryOnDisk> history(ContainerRun run) throws IOException {
    PodRecord record = record(run.pod().uid());
    boolean fresh = record.reads(run.name());
    return fresh && leftovers.contains(record.uid())
        ? AttemptHistoryOnDisk.read(containerDir(run))
        : Optional.empty();
  }

  AttemptDir attemptDir(ContainerRun run, int number) {
    return AttemptDir.of(podsDir, run.pod().uid(), run.name(), number);
  }

  /**
   * Starts the command of an attempt.
   *
   * @param first true if this is the first try: then a shim may make the directories
   * @param ended called once it has ended
   * @return the process group, or a negated errno
   */
  int spawn(
      ContainerRun run, AttemptDir dir, LogFiles logs, boolean first, Consumer<Shims.End> ended)
      throws IOException, Command.NotStartable {
    boolean arranged = isArranged(run.pod(), run.container());
    boolean plain = first && !arranged && isOnly(run);
    Command command = Command.of(run, around, arranged);
    Optional<Path> spareDir = plain ? spares.take(dir) : Optional.empty();
    if (spareDir.isEmpty()) {
      dir.create();
    }
    Optional<Path> spareLogs = keptLogs.makeDir(logs, run.pod().uid(), plain);
    if (arranged) {
      record(run.pod().uid()).markArranged();
      arranger.handOver(run, logs);
    }
    String script =
        ShimScript.text(
            variables(run, command, dir),
            arranged ? "/" : command.workingDir(),
            logs,
            spareLogs,
            arranged ? arrange(run, command, dir) : command.argv());
    return shims.run(dir, spareDir, script, arranged, ended);
  }

  private static boolean isOnly(ContainerRun run) {
    ArrayNode containers = Json.arrayAt(run.pod().spec(), "containers");
    ArrayNode initial = Json.arrayAt(run.pod().spec(), "initContainers");
    return containers != null && containers.size() == 1 && (initial == null || initial.isEmpty());
  }

  /** Records that a group was signalled, which leaves it in an unknown state. */
  void signalled(int group) {
    shims.spoil(group);
  }

  private boolean isArranged(KubeObject pod, ObjectNode container) {
    return ArrangementFactory.isNeeded(pod, container, machine);
  }

  private List<String> arrange(ContainerRun run, Command command, AttemptDir dir)
      throws IOException, Command.NotStartable {
    Arrangement arrangement = arranger.arrange(run, dir, command);
    arrangement.prepare(dir);
    return arrangement.argv(command, dir, machine);
  }

  private Map<String, String> variables(ContainerRun run, Command command, AttemptDir dir) {
    Map<String, String> variables = new TreeMap<>(command.own());
    variables.put(TerminationMessage.VARIABLE, dir.messageFile().toString());
    if (!command.declared().containsKey("HOME")) {
      ArrangementFactory.home(run.pod(), run.container(), machine)
          .ifPresent(home -> variables.put("HOME", home));
    }
    return variables;
  }

  /** Returns the full outcome of an attempt that has ended. */
  Exit completed(ContainerRun run, AttemptDir dir, LogFiles logs, Exit exit) {
    Exit known = exit;
    if (exit.code() != 0 && arranger.outOfMemory(run, dir)) {
      markOutOfMemory(run, dir);
      known = exit.withReason(Exit.OOM_KILLED);
    }
    release(run, dir);
    return TerminationMessage.added(known, run.container(), dir.messageFile(), logs);
  }

  private static void markOutOfMemory(ContainerRun run, AttemptDir dir) {
    try {
      dir.markOutOfMemory();
    } catch (IOException fault) {
      LOG.warn(
          "the outcome of {} of {} can't be noted: {}", run.name(), run.pod(), fault.toString());
    }
  }

  /**
   * Releases an attempt's arrangement. Killed processes may take a moment to end; what is left
   * after a second try is removed with the pod.
   */
  private void release(ContainerRun run, AttemptDir dir) {
    if (!arranger.remove(run, dir)) {
      after(MOMENT, () -> arranger.remove(run, dir));
    }
  }

  Runnable after(Duration delay, Runnable task) {
    return timers.after(delay, () -> edge.execute(task));
  }

  /** True if an attempt without an outcome is running. */
  boolean runs(AttemptDir dir) throws IOException {
    Optional<AttemptDir.Identity> identity = dir.identity();
    return identity.isPresent()
        && identity.get().bootId().equals(bootId)
        && identity.get().isThere();
  }

  /** True if the machine went down during an attempt. */
  boolean lost(AttemptDir dir) throws IOException {
    Optional<AttemptDir.Identity> identity = dir.identity();
    return identity.isPresent() && !identity.get().bootId().equals(bootId);
  }

  /**
   * Kills the rest of an attempt whose shim is not watched. If there is an outcome, the shim may
   * have gone on to another attempt, and is left alone.
   */
  void killLeftover(AttemptDir dir) throws IOException {
    Optional<AttemptDir.Identity> identity = dir.identity();
    if (identity.isPresent() && identity.get().bootId().equals(bootId) && dir.exit().isEmpty()) {
      killGroup(identity.get());
    }
  }

  /**
   * Kills the process group of a shim that is no child of ours. While the group has members, the
   * system does not reuse its number; if another process has that number, the group has none left.
   */
  static void killGroup(AttemptDir.Identity shim) {
    if (shim.isThere() || AttemptDir.commandLine(shim.pid()).isEmpty()) {
      Posix.kill(-shim.pid(), Attempt.Signal.KILL.number());
    }
  }

  private void forget(String uid, CompletableFuture<@Nullable Void> done) {
    PodRecord record = record(uid);
    record.forget(done);
    removeIfOver(record);
  }

  /** Called when an attempt is over. */
  void ended(ProcessAttempt attempt, String uid) {
    PodRecord record = record(uid);
    record.remove(attempt);
    removeIfOver(record);
  }

  private void removeIfOver(PodRecord record) {
    if (!record.isOver() || pods.remove(record.uid()) == null) {
      return;
    }
    try {
      if (leftovers.remove(record.uid())) {
        record.markArranged();
        endLeftovers(record);
      }
      removal.remove(record);
    } catch (IOException fault) {
      record.gone(fault);
    }
  }

  private void endLeftovers(PodRecord record) throws IOException {
    for (Path container : visible(AttemptDir.podDir(podsDir, record.uid()))) {
      if (!record.hasRead(container.getFileName().toString())) {
        Optional<AttemptHistoryOnDisk> history = AttemptHistoryOnDisk.read(container);
        if (history.isPresent()) {
          killLeftover(history.get().latest());
        }
      }
    }
  }

  @Override
  public LogTree logs() {
    return new LogTree(logsDir);
  }

  @Override
  public CompletableFuture<Optional<CompletableFuture<Exit>>> running(
      String podUid, String container, int number) {
    CompletableFuture<Optional<CompletableFuture<Exit>>> answer = new CompletableFuture<>();
    edge.execute(() -> {
      PodRecord record = pods.get(podUid);
      answer.complete(
          record == null
              ? Optional.empty()
              : record
                  .live()
                  .filter(each -> each.is(container, number))
                  .findFirst()
                  .map(ProcessAttempt::end));
    });
    return answer;
  }

  @Override
  public ExecProcess exec(KubeObject pod, ObjectNode container, List<String> argv, boolean tty)
      throws IOException {
    PodInputs known = inputs.getOrDefault(pod.uid(), PodInputs.NONE);
    ContainerRun run = new ContainerRun(pod, container, 0, false, known);
    try {
      return ExecProcess.start(beside(run, argv), tty);
    } catch (Command.NotStartable fault) {
      throw new IOException(fault.getMessage(), fault);
    }
  }

  /** Returns a command that runs in the container's own arrangement. Waits for that. */
  private Command beside(ContainerRun run, List<String> argv)
      throws IOException, Command.NotStartable {
    boolean arranged = isArranged(run.pod(), run.container());
    Command command = Command.beside(run, argv, around, arranged);
    if (!arranged) {
      return command;
    }
    AttemptDir attempt =
        AttemptHistoryOnDisk.read(containerDir(run))
            .map(AttemptHistoryOnDisk::latest)
            .orElseThrow(() -> new IOException("container " + run.name() + " does not run"));
    return new NamespaceEntry(machine).into(run, attempt, command);
  }

  private CompletableFuture<LogRetention.InUse> logsInUse() {
    CompletableFuture<LogRetention.InUse> answer = new CompletableFuture<>();
    edge.execute(() -> {
      Set<LogFiles> running = new HashSet<>();
      Set<Path> dirs = new HashSet<>();
      for (PodRecord record : pods.values()) {
        dirs.addAll(record.logDirs());
        record.live().forEach(attempt -> attempt.logs().ifPresent(running::add));
      }
      boolean settled =
          leftovers.stream().filter(uid -> !pods.containsKey(uid)).noneMatch(this::mayRun);
      answer.complete(new LogRetention.InUse(settled, running, dirs));
    });
    return answer;
  }

  /** True if processes may run of a pod that has not been taken over yet. */
  private boolean mayRun(String uid) {
    try {
      for (Path container : visible(AttemptDir.podDir(podsDir, uid))) {
        Optional<AttemptHistoryOnDisk> history = AttemptHistoryOnDisk.read(container);
        if (history.isPresent() && runs(history.get().latest())) {
          return true;
        }
      }
      return false;
    } catch (IOException unknown) {
      return true;
    }
  }

  private Path containerDir(ContainerRun run) {
    return AttemptDir.containerDir(podsDir, run.pod().uid(), run.name());
  }

  /** Returns the directories of pods, or of a pod's containers, except hidden ones. */
  private static List<Path> visible(Path podDir) throws IOException {
    return FileRemoval.entries(podDir).stream()
        .filter(path -> !path.getFileName().toString().startsWith("."))
        .toList();
  }
}
