package dev.stint.runner.process;

import dev.stint.cluster.Timers;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.access.RunningPods;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogRetention;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.network.PodNames;
import dev.stint.runner.proc.BootId;
import dev.stint.runner.proc.ProcessMemory;
import dev.stint.runner.proc.ProcessTable;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.command.ProgramPath;
import dev.stint.runner.process.isolation.IsolationFactory;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.isolation.MaskedParts;
import dev.stint.runner.process.isolation.UnenforcedLimits;
import dev.stint.runner.process.shim.CommandKill;
import dev.stint.runner.process.shim.ProcessWatcher;
import dev.stint.runner.process.shim.ShimProgram;
import dev.stint.runner.process.shim.Shims;
import dev.stint.runner.process.shim.Spawner;
import dev.stint.runner.process.user.Surroundings;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.IdleLeftover;
import dev.stint.runner.runtime.NetworkCheck;
import dev.stint.runner.runtime.ProcessId;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.volume.ClaimDirs;
import dev.stint.runner.volume.FilesInVolumes;
import dev.stint.runner.volume.HostPaths;
import dev.stint.runner.volume.SizeChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs containers as processes of this machine. Each is a session and process group of its own. Its
 * leader is a small shim that records the outcome (see {@link ShimProgram}), so that an attempt
 * survives this program.
 *
 * <p>There is no image: {@code command} is looked up on this machine, and the environment is this
 * program's own plus the container's declared variables. Processes that leave their group ({@code
 * setsid}) are ended with the container if its shim is compiled, and otherwise with the pod, see
 * {@link EscapedProcesses}.
 *
 * <p>Files: {@code <podsDir>/<pod uid>/<container>/<attempt>/} for the runtime's own record, gone
 * once the pod is forgotten, and {@code <logsDir>/<namespace>/<job or
 * pod>/<pod>/<container>.<attempt>.stdout}, {@code .stderr} and {@code .times}, which stay for a
 * time (see {@link ProcessLogs}). Linux only.
 */
public final class ProcessRuntime implements Runtime, RunningPods, AutoCloseable {
  private static final String LOCALHOST = "127.0.0.1";

  private static final int MOST_FILLERS = 4;

  private final Path podsDir;
  private final LogTree logs;
  private final InstantSource clock;
  private final Timers timers;
  private final ProcessOptions options;
  private final ProcessWatcher watcher;
  private final IsolationFactory arranger;
  private final Shims shims;
  private final CommandLauncher launcher;
  private final ExecLauncher execs;
  private final ExecCalls execCalls = new ExecCalls();
  private final PodRemoval removal;
  private final CommandKill commandKill;
  private final EscapedProcesses escaped;
  private final boolean shimsEndAll;
  private final String boot;
  private final List<String> gaps = new ArrayList<>();

  /** Runs deletions. They may wait for the disk for long, and nothing waits for them. */
  private final ExecutorService cleaner =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("stint-cleaner").factory());

  /** Fills volumes, which may take long, so that the watcher starts other pods meanwhile. */
  private final ExecutorService fillers =
      Executors.newFixedThreadPool(
          MOST_FILLERS, Thread.ofPlatform().daemon().name("stint-volumes-", 0).factory());

  private final SizeChecks sizes = new SizeChecks();
  private final PodNames names = new PodNames();

  // The fields below are used by the watcher's thread only.
  private final Leftovers leftovers;
  private final Map<String, PodRecord> pods = new HashMap<>();
  private final ProcessLogs keptLogs;

  /** The pods whose hosts files may lack others. */
  private final Set<String> staleHosts = new LinkedHashSet<>();

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
    this(podsDir, logsDir, constant(inherited), clock, timers, options);
  }

  /**
   * Opens a runtime whose pods inherit different surroundings.
   *
   * @param surroundings returns what the containers of a pod inherit
   */
  public ProcessRuntime(
      Path podsDir,
      Path logsDir,
      Function<KubeObject, Surroundings> surroundings,
      InstantSource clock,
      Timers timers,
      ProcessOptions options)
      throws IOException {
    this(
        podsDir,
        logsDir,
        surroundings,
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
    this(podsDir, logsDir, constant(inherited), clock, timers, options, usePidfds, spawner, shim);
  }

  private ProcessRuntime(
      Path podsDir,
      Path logsDir,
      Function<KubeObject, Surroundings> surroundings,
      InstantSource clock,
      Timers timers,
      ProcessOptions options,
      boolean usePidfds,
      Spawner spawner,
      ShimProgram shim)
      throws IOException {
    this.podsDir = Files.createDirectories(podsDir).toRealPath();
    this.logs = new LogTree(Files.createDirectories(logsDir).toRealPath());
    this.clock = clock;
    this.timers = timers;
    this.options = options;
    ProgramPath programs = new ProgramPath(clock);
    FilesInVolumes files =
        new FilesInVolumes(uid -> IsolationFactory.volumesDir(this.podsDir, uid));
    Function<KubeObject, Command.Context> contexts =
        pod -> Command.Context.of(surroundings.apply(pod), programs, files);
    MachineCapabilities machine = MachineCapabilities.here();
    String bootId = BootId.current();
    this.boot = BootId.tag(bootId);
    SpareDirs spares = new SpareDirs(this.podsDir);
    Path claims = this.podsDir.resolveSibling("volumes");
    HostPaths hostPaths =
        new HostPaths(options.hostPaths(), new ClaimDirs(options.claims(), claims));
    this.arranger =
        new IsolationFactory(
            machine,
            this.podsDir,
            bootId,
            hostPaths,
            hidden(machine),
            names,
            options.requireLimits());
    this.leftovers = new Leftovers(this.podsDir, bootId);
    this.watcher = new ProcessWatcher(usePidfds);
    this.shims = new Shims(watcher, spawner, shim, bootId, this.podsDir);
    this.shimsEndAll = shim.isCompiled();
    if (!shimsEndAll) {
      gaps.add(
          "a process that leaves its session and clears its environment may outlive its pod:"
              + " Stint was built without a C compiler");
    }
    this.commandKill = new CommandKill(watcher);
    this.escaped =
        new EscapedProcesses(
            this.podsDir,
            watcher,
            new ProcessMemory(timers),
            ProcessTable::pids,
            this::isOver,
            clock,
            timers);
    this.keptLogs =
        new ProcessLogs(
            logs.root(),
            options.logs(),
            shim.isCompiled(),
            cleaner,
            clock,
            timers,
            this::logsInUse);
    this.launcher =
        new CommandLauncher(contexts, arranger, machine, spares, keptLogs, shims, timers, watcher);
    this.execs = new ExecLauncher(contexts, machine, this.podsDir, new ProcessMemory(timers));
    this.removal = new PodRemoval(this.podsDir, spares, keptLogs, arranger, timers, cleaner);
    escaped.end();
  }

  private static Function<KubeObject, Surroundings> constant(Map<String, String> inherited) {
    Surroundings own = Surroundings.ofThisProcess(inherited);
    return _ -> own;
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

  /**
   * Returns the limits of a pod, or of a pod template, that are not enforced on this machine.
   *
   * @param pathPrefix its path, such as {@code spec.template}; empty for a pod
   */
  public static List<FieldError> unenforcedLimits(KubeObject podOrTemplate, String pathPrefix) {
    return UnenforcedLimits.here().of(podOrTemplate, pathPrefix);
  }

  /** Returns why limits of CPU or memory are not enforced on this machine; empty if they are. */
  public static Optional<String> whyNoLimits() {
    return UnenforcedLimits.here().isPossible()
        ? Optional.of(UnenforcedLimits.why())
        : Optional.empty();
  }

  @Override
  public List<FieldError> unsupported(KubeObject pod) {
    List<FieldError> refused = new ArrayList<>(options.users().refusals(pod));
    refused.addAll(refusals(options.users().assign(pod), "", options));
    return refused;
  }

  private MaskedParts hidden(MachineCapabilities machine) {
    return options.hidden().map(dir -> machine.hide(dir, gaps::add)).orElse(MaskedParts.NOTHING);
  }

  /** Returns what this machine or this build does not isolate, in words for users. */
  public List<String> gaps() {
    return List.copyOf(gaps);
  }

  /**
   * Returns why containers cannot have mounts of their own here; empty if they can. Waits, once.
   */
  public static Optional<String> whyNoMounts() {
    return MachineCapabilities.here().whyNoMounts();
  }

  /** True if this build has the compiled shim, not only shells. */
  public static boolean hasCompiledShim() {
    return ShimProgram.ofThisProcess().isCompiled();
  }

  /** Returns why pods cannot run as other users than Stint's own; empty if they can. */
  public static Optional<String> whyNoOtherUsers() {
    MachineCapabilities machine = MachineCapabilities.here();
    if (!machine.identity().isRoot()) {
      return Optional.of("only root can run pods as other users; run stint as root, or remove it");
    }
    return machine.hasTool("setpriv")
        ? Optional.empty()
        : Optional.of("setpriv is not installed; install util-linux");
  }

  @Override
  public boolean ignoresImages() {
    return true;
  }

  @Override
  public CompletableFuture<Set<String>> leftovers() {
    return onWatcher(leftovers::uids);
  }

  @Override
  public CompletableFuture<Map<String, IdleLeftover>> idleLeftovers() {
    return onWatcher(leftovers::idle);
  }

  @Override
  public boolean isOfEarlierBoot(String containerId) {
    return ProcessId.of(containerId).filter(id -> id.isOfAnotherBoot(boot)).isPresent();
  }

  @Override
  public Attempt start(ContainerRun asked, AttemptListener listener) {
    ContainerRun run = with(asked, names.joined(options.users().assign(asked.pod())));
    execs.remember(run);
    ProcessAttempt attempt = new ProcessAttempt(this, run, listener);
    watcher.execute(attempt::begin);
    if (PodNames.hasName(run.pod())) {
      watcher.execute(() -> updateHostsLater(run.pod().uid()));
    }
    return attempt;
  }

  @Override
  public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
    return switch (handler) {
      case Handler.Exec(List<String> argv) ->
          execCalls.call(
              run.pod().uid() + "/" + run.name(), () -> execs.handle(assigned(run), argv));
      case Handler.HttpGet get -> NetworkCheck.http(get, address(run));
      case Handler.TcpSocket tcp -> NetworkCheck.tcp(tcp, address(run));
      case Handler.Grpc grpc -> NetworkCheck.grpc(grpc, address(run));
      case Handler.Sleep _ -> throw new IllegalArgumentException("the runner sleeps itself");
    };
  }

  private String address(ContainerRun run) {
    return names.address(run.pod().uid()).orElse(LOCALHOST);
  }

  @Override
  public CompletableFuture<Optional<String>> overuse(KubeObject pod) {
    return sizes.run(() -> arranger.overuse(pod));
  }

  @Override
  public CompletableFuture<@Nullable Void> renewTokens(KubeObject pod, PodInputs inputs) {
    KubeObject assigned = options.users().assign(pod);
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    fillers.execute(() -> {
      try {
        arranger.renewTokens(assigned, inputs);
        done.complete(null);
      } catch (IOException | RuntimeException fault) {
        done.completeExceptionally(fault);
      }
    });
    return done;
  }

  @Override
  public CompletableFuture<@Nullable Void> forget(String podUid) {
    boolean entered = execs.forget(podUid);
    names.leave(podUid);
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    watcher.execute(() -> {
      PodRecord record = record(podUid);
      if (entered) {
        record.markLeaky();
      }
      record.forget(done);
      removeIfOver(record);
    });
    return done;
  }

  /** Stops watching. Processes continue, for the next runtime to take over. */
  @Override
  public void close() {
    watcher.close();
    shims.close();
    fillers.shutdownNow();
    sizes.close();
    keptLogs.close();
    OrderlyShutdown.shutDown(cleaner, "the next start removes the files of ended pods");
  }

  @Override
  public LogTree logs() {
    return logs;
  }

  @Override
  public CompletableFuture<Optional<CompletableFuture<Exit>>> running(
      String podUid, String container, int number) {
    return onWatcher(() ->
        Optional.ofNullable(pods.get(podUid)).stream()
            .flatMap(PodRecord::live)
            .filter(attempt -> attempt.matches(container, number))
            .findFirst()
            .map(ProcessAttempt::end));
  }

  @Override
  public ExecProcess exec(KubeObject pod, ObjectNode container, List<String> argv, boolean tty)
      throws IOException {
    return execs.start(options.users().assign(pod), container, argv, tty);
  }

  /**
   * Returns a run of the pod as its namespace's user, and with its own address. On any thread: the
   * pod may have ended meanwhile.
   */
  private ContainerRun assigned(ContainerRun run) {
    return with(run, names.addressed(options.users().assign(run.pod())));
  }

  private static ContainerRun with(ContainerRun run, KubeObject pod) {
    return new ContainerRun(
        pod,
        run.container(),
        run.restartCount(),
        run.adoptOnly(),
        run.inputs(),
        run.repeatsLost(),
        run.told());
  }

  /** Updates the hosts files of a pod's peers, together with those of other pods that start now. */
  private void updateHostsLater(String uid) {
    boolean due = !staleHosts.isEmpty();
    staleHosts.addAll(names.peers(uid));
    if (!due && !staleHosts.isEmpty()) {
      watcher.execute(() -> {
        List<String> stale = List.copyOf(staleHosts);
        staleHosts.clear();
        stale.stream()
            .map(pods::get)
            .filter(Objects::nonNull)
            .flatMap(PodRecord::live)
            .toList()
            .forEach(ProcessAttempt::updateHosts);
      });
    }
  }

  /** Returns the address that a pod has alone; empty if it has the machine's only. */
  Optional<String> ownAddress(String uid) {
    return names.address(uid);
  }

  InstantSource clock() {
    return clock;
  }

  ProcessWatcher watcher() {
    return watcher;
  }

  /** Returns the logs that outlive their pods. On the watcher's thread, like all methods below. */
  ProcessLogs keptLogs() {
    return keptLogs;
  }

  CommandLauncher launcher() {
    return launcher;
  }

  CommandKill commandKill() {
    return commandKill;
  }

  Leftovers leftoverAttempts() {
    return leftovers;
  }

  /**
   * Returns the ID of a run that is over, and that an earlier life began: as it was told, since
   * that may have been in another boot.
   */
  ProcessId leftId(ContainerRun run, AttemptDir dir) {
    ProcessId ofThisBoot = id(run, dir);
    return Optional.ofNullable(run.told())
        .flatMap(told -> ProcessId.of(told.id()))
        .filter(told -> !told.boot().isEmpty() && told.run().equals(ofThisBoot.run()))
        .orElse(ofThisBoot);
  }

  ProcessId id(ContainerRun run, AttemptDir dir) {
    return ProcessId.of(boot, run.pod().uid(), run.name(), dir.number());
  }

  /** Returns the record of a pod. */
  PodRecord record(String uid) {
    return pods.computeIfAbsent(uid, PodRecord::new);
  }

  /** Returns the threads that fill volumes. */
  Executor fillers() {
    return fillers;
  }

  AttemptDir attemptDir(ContainerRun run, int number) {
    return AttemptDir.of(podsDir, run.pod().uid(), run.name(), number);
  }

  Runnable after(Duration delay, Runnable task) {
    return timers.after(delay, () -> watcher.execute(task));
  }

  /** Called when an attempt is over. */
  void onAttemptEnd(ProcessAttempt attempt, String uid) {
    PodRecord record = record(uid);
    record.remove(attempt);
    removeIfOver(record);
  }

  private void removeIfOver(PodRecord record) {
    if (!record.isOver() || pods.remove(record.uid()) == null) {
      return;
    }
    try {
      if (leftovers.killAll(record.uid(), record.readContainers())) {
        record.markArranged();
        record.markLeaky();
      }
      if (record.isLeaky() || !shimsEndAll) {
        escaped.end();
      }
      removal.remove(record);
    } catch (IOException fault) {
      record.completeForget(fault);
    }
  }

  private boolean isOver(String uid) {
    return !pods.containsKey(uid) && !leftovers.isLeft(uid);
  }

  private CompletableFuture<LogRetention.InUse> logsInUse() {
    return onWatcher(() -> {
      Set<LogFiles> running = new HashSet<>();
      Set<Path> dirs = new HashSet<>();
      for (PodRecord record : pods.values()) {
        dirs.addAll(record.logDirs());
        record.live().forEach(attempt -> attempt.logs().ifPresent(running::add));
      }
      return new LogRetention.InUse(!leftovers.mayRunBesides(pods.keySet()), running, dirs);
    });
  }

  private <T> CompletableFuture<T> onWatcher(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    watcher.execute(() -> answer.complete(question.get()));
    return answer;
  }
}
