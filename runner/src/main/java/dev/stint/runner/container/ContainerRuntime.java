package dev.stint.runner.container;

import dev.stint.cluster.Timers;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.access.ExecTarget;
import dev.stint.runner.access.RunningPods;
import dev.stint.runner.container.daemon.ContainerInspection;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonSocket;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.proc.BootId;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.IdleLeftover;
import dev.stint.runner.runtime.NetworkCheck;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.volume.ClaimDirs;
import dev.stint.runner.volume.HostPaths;
import dev.stint.runner.volume.SizeChecks;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs containers by a daemon with Docker's API, Docker or Podman, over a socket of this machine.
 *
 * <p>The daemon runs the containers, keeps their output and remembers how they ended. So they
 * survive this program, and the next start finds them by their labels ({@code stint.dev/…}). A
 * pod's containers share the network and the IPC of a pause container. Their output is copied to
 * files as in the process runtime, {@code <logsDir>/<namespace>/<job or
 * pod>/<pod>/<container>.<attempt>.stdout} and {@code .stderr}.
 *
 * <p>While the daemon is away, all requests wait for it; nothing is lost that it remembers. Only an
 * interruption does not: it leaves containers to the next runtime then.
 */
public final class ContainerRuntime implements Runtime, RunningPods, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerRuntime.class);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);
  private static final String LOCALHOST = "127.0.0.1";

  private final Daemon daemon;
  private final RuntimeContext shared;
  private final ContainerOptions options;
  private final SizeChecks sizes = new SizeChecks();
  private final Set<String> leftovers;

  /** Once true, no listener is called any more. */
  private final AtomicBoolean closed;

  /** Once true, no task runs any more. */
  private final AtomicBoolean stopped;

  /** The removals under way, by the pod's uid. */
  private final Map<String, CompletableFuture<?>> removals = new ConcurrentHashMap<>();

  private final Map<String, PodSandbox> sandboxes = new ConcurrentHashMap<>();

  private ContainerRuntime(
      RuntimeContext shared,
      ContainerOptions options,
      Set<String> leftovers,
      AtomicBoolean closed,
      AtomicBoolean stopped) {
    this.daemon = shared.daemon();
    this.shared = shared;
    this.options = options;
    this.leftovers = Set.copyOf(leftovers);
    this.closed = closed;
    this.stopped = stopped;
  }

  /**
   * Opens a runtime over two directories, which are made if they are missing.
   *
   * @param podsDir a directory in the data directory; its path identifies our containers
   * @param socket the daemon's, see {@link DaemonSocket}
   * @throws IOException the daemon cannot be used; the message says why, in one line
   */
  public static ContainerRuntime open(
      Path podsDir,
      Path logsDir,
      Path socket,
      InstantSource clock,
      Timers timers,
      ContainerOptions options)
      throws IOException {
    String bootId = BootId.current();
    return open(podsDir, logsDir, socket, clock, timers, options, bootId);
  }

  static ContainerRuntime open(
      Path podsDir,
      Path logsDir,
      Path socket,
      InstantSource clock,
      Timers timers,
      ContainerOptions options,
      String bootId)
      throws IOException {
    Path pods = Files.createDirectories(podsDir).toRealPath();
    Path logs = Files.createDirectories(logsDir).toRealPath();
    String dataDir = String.valueOf(pods.getParent());
    PulledImages pulled =
        PulledImages.open(pods.resolveSibling("pulled-images"), new SecureRandom());
    AtomicBoolean closed = new AtomicBoolean();
    AtomicBoolean stopped = new AtomicBoolean();
    Executor threads =
        task -> {
          if (!stopped.get()) {
            Thread.ofVirtual().name("stint-containers").start(task);
          }
        };
    Daemon daemon = new Daemon(socket, Daemon.ANSWER_TIMEOUT);
    try {
      Daemon.Version version = daemon.version();
      PauseImage image = new PauseImage(daemon, version.architecture());
      image.provide();
      Set<String> left = new HashSet<>(names(pods));
      daemon
          .list(ContainerLabels.DATA_DIR, dataDir)
          .forEach(each -> left.add(each.labels().podUid()));
      RuntimeContext shared =
          new RuntimeContext(
              daemon,
              version.podman(),
              version.tellsOutOfMemory(),
              image,
              new ImagePuller(ImagePuller.Images.of(daemon), pulled, threads, clock),
              new ExitWatch(daemon, dataDir, threads, timers),
              new ContainerLogs(
                  logs, options.logs(), new SerialQueue(threads), clock, timers, left),
              threads,
              closed::get,
              clock,
              timers,
              pods,
              new LogTree(logs),
              options.logs(),
              new HostPaths(
                  options.hostPaths(),
                  new ClaimDirs(options.claims(), pods.resolveSibling("volumes"))),
              new NamedPods(),
              dataDir,
              bootId);
      shared.watch().open();
      return new ContainerRuntime(shared, options, left, closed, stopped);
    } catch (DaemonException fault) {
      daemon.close();
      throw new IOException(
          "cannot use the container daemon at " + socket + ": " + fault.text(), fault);
    }
  }

  private static Set<String> names(Path dir) throws IOException {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    }
    return names;
  }

  /**
   * Returns the fields of a pod, or of a pod template, that containers don't support here.
   *
   * @param podOrTemplate an object with a pod's {@code spec}
   * @param pathPrefix its path, such as {@code spec.template}; empty for a pod
   * @param options the options of the runtime that is to run it
   */
  public static List<FieldError> refusals(
      KubeObject podOrTemplate, String pathPrefix, ContainerOptions options) {
    return ContainerRefusals.of(podOrTemplate, pathPrefix, options);
  }

  @Override
  public List<FieldError> unsupported(KubeObject pod) {
    return refusals(pod, "", options);
  }

  @Override
  public CompletableFuture<Set<String>> leftovers() {
    return CompletableFuture.completedFuture(leftovers);
  }

  @Override
  public CompletableFuture<Map<String, IdleLeftover>> idleLeftovers() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return idle(daemon.list(ContainerLabels.DATA_DIR, shared.dataDir()));
          } catch (DaemonException fault) {
            throw new CompletionException(fault);
          }
        },
        shared.threads());
  }

  private Map<String, IdleLeftover> idle(List<Daemon.Listed> listed) {
    Map<String, List<Daemon.Listed>> byPod =
        listed.stream()
            .filter(each -> !each.labels().isPauseContainer())
            .collect(Collectors.groupingBy(each -> each.labels().podUid()));
    Map<String, IdleLeftover> idle = new HashMap<>();
    for (String uid : leftovers) {
      List<Daemon.Listed> own = byPod.getOrDefault(uid, List.of());
      if (own.stream().allMatch(each -> each.state() == ContainerInspection.State.ENDED)) {
        idle.put(uid, leftover(own));
      }
    }
    return idle;
  }

  private IdleLeftover leftover(List<Daemon.Listed> containers) {
    Map<String, ContainerLabels> latest =
        containers.stream()
            .map(Daemon.Listed::labels)
            .collect(
                Collectors.toMap(
                    ContainerLabels::container,
                    Function.identity(),
                    BinaryOperator.maxBy(Comparator.comparingInt(ContainerLabels::attempt))));
    Set<String> ended = new HashSet<>();
    Set<String> lost = new HashSet<>();
    latest.forEach((name, labels) -> {
      if (!PodSandbox.isInterrupted(shared.podsDir(), labels)) {
        (labels.bootId().equals(shared.bootId()) ? ended : lost).add(name);
      }
    });
    return new IdleLeftover(ended, lost);
  }

  @Override
  public Attempt start(ContainerRun run, AttemptListener listener) {
    PodSandbox sandbox = sandbox(run.pod().uid());
    shared.attemptLogs().onPodKnown(run.pod().uid());
    ContainerAttempt attempt = new ContainerAttempt(shared, sandbox, run, listener);
    sandbox.serial().execute(attempt::begin);
    return attempt;
  }

  private PodSandbox sandbox(String uid) {
    return sandboxes.computeIfAbsent(
        uid, _ -> new PodSandbox(shared, uid, leftovers.contains(uid)));
  }

  @Override
  public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
    PodSandbox sandbox = sandbox(run.pod().uid());
    return switch (handler) {
      case Handler.Exec(List<String> argv) -> NetworkCheck.apart(() -> run(sandbox, run, argv));
      case Handler.HttpGet get -> NetworkCheck.http(get, address(sandbox));
      case Handler.TcpSocket tcp -> NetworkCheck.tcp(tcp, address(sandbox));
      case Handler.Grpc grpc -> NetworkCheck.grpc(grpc, address(sandbox));
      case Handler.Sleep _ -> throw new IllegalArgumentException("the runner sleeps itself");
    };
  }

  /** Returns the pod's address; pods without an address of their own have the machine's. */
  private static String address(PodSandbox sandbox) {
    String own = sandbox.address();
    return own == null ? LOCALHOST : own;
  }

  private Handler.Result run(PodSandbox sandbox, ContainerRun run, List<String> argv) {
    try {
      int code = sandbox.commands().run(runningId(run.pod().uid(), run.name()), argv);
      return code == 0
          ? Handler.Result.GOOD
          : Handler.Result.bad("command " + argv + " exited with " + code);
    } catch (DaemonException fault) {
      return fault.reason() == DaemonException.Reason.AWAY
          ? Handler.Result.unknown(fault.text())
          : Handler.Result.bad(fault.text());
    } catch (HandlerCommands.StillRunning fault) {
      return Handler.Result.bad(String.valueOf(fault.getMessage()));
    } catch (IOException fault) {
      return Handler.Result.unknown(String.valueOf(fault.getMessage()));
    }
  }

  @Override
  public ExecTarget exec(KubeObject pod, ObjectNode container, List<String> argv, boolean tty)
      throws IOException {
    String id = runningId(pod.uid(), String.valueOf(Json.text(container, "name")));
    try {
      return ContainerExec.start(daemon, id, argv, tty);
    } catch (DaemonException fault) {
      throw new IOException(fault.text(), fault);
    }
  }

  private String runningId(String podUid, String container) throws IOException {
    return findLive(
            podUid, attempt -> attempt.isRunning(container) ? attempt.id() : Optional.empty())
        .join()
        .orElseThrow(() -> new IOException("container " + container + " is not running"));
  }

  @Override
  public CompletableFuture<Optional<CompletableFuture<Exit>>> running(
      String podUid, String container, int number) {
    return findLive(
        podUid,
        attempt ->
            attempt.isRunning(container) && attempt.number() == number
                ? Optional.of(attempt.end())
                : Optional.empty());
  }

  /** Returns what a function finds in the first live attempt of a pod where it finds anything. */
  private <T> CompletableFuture<Optional<T>> findLive(
      String podUid, Function<ContainerAttempt, Optional<T>> what) {
    PodSandbox sandbox = sandboxes.get(podUid);
    if (sandbox == null || closed.get()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
    sandbox
        .serial()
        .execute(() ->
            answer.complete(
                sandbox.live().stream().map(what).flatMap(Optional::stream).findFirst()));
    return answer;
  }

  @Override
  public LogTree logs() {
    return shared.logs();
  }

  @Override
  public CompletableFuture<Optional<String>> overuse(KubeObject pod) {
    return sizes.run(() -> sandbox(pod.uid()).overuse(pod));
  }

  @Override
  public CompletableFuture<@Nullable Void> renewTokens(KubeObject pod, PodInputs inputs) {
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    PodSandbox sandbox = sandbox(pod.uid());
    sandbox
        .serial()
        .execute(() -> {
          try {
            sandbox.renewTokens(pod, inputs);
            done.complete(null);
          } catch (IOException | RuntimeException fault) {
            done.completeExceptionally(fault);
          }
        });
    return done;
  }

  @Override
  public boolean reachesLoopback(KubeObject pod) {
    return Boolean.TRUE.equals(Json.bool(pod.spec(), "hostNetwork"));
  }

  @Override
  public CompletableFuture<@Nullable Void> forget(String podUid) {
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    PodSandbox sandbox = sandbox(podUid);
    shared.named().leave(podUid);
    shared.attemptLogs().onPodKnown(podUid);
    removals.put(podUid, done);
    var _ = done.whenComplete((_, _) -> removals.remove(podUid));
    sandbox.serial().execute(() -> sandbox.forget(done));
    return done.whenComplete((_, fault) -> {
      // Files that cannot be removed need no sandbox: its containers are gone.
      if (fault == null || fault instanceof IOException) {
        sandboxes.remove(podUid, sandbox);
      }
    });
  }

  /**
   * Returns the number of pods that were interrupted, but may still run, since the daemon is away.
   * The next runtime ends them.
   */
  public int givenUp() {
    return Math.toIntExact(sandboxes.values().stream().filter(PodSandbox::isGivenUp).count());
  }

  /**
   * Stops watching, once the removals under way are done. Containers continue, for the next runtime
   * to take over.
   */
  @Override
  public void close() {
    closed.set(true);
    List<CompletableFuture<?>> last = new ArrayList<>(removals.values());
    for (PodSandbox sandbox : sandboxes.values()) {
      CompletableFuture<@Nullable Void> stopping = new CompletableFuture<>();
      sandbox.serial().execute(() -> sandbox.stopPauseContainer(stopping));
      last.add(stopping);
    }
    await(CompletableFuture.allOf(last.toArray(CompletableFuture[]::new)));
    stopped.set(true);
    sizes.close();
    shared.watch().close();
    daemon.close();
  }

  private static void await(CompletableFuture<?> last) {
    try {
      last.get(SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException fault) {
      LOG.warn(
          "Cannot remove all containers in time; the next start removes them: {}",
          fault.toString());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
