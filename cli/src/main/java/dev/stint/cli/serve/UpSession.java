package dev.stint.cli.serve;

import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.apiserver.encryption.EncryptedEngine;
import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.apiserver.http.router.MetricsFilter;
import dev.stint.apiserver.http.server.HttpLimits;
import dev.stint.apiserver.pods.TokenAutomount;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.location.EncryptionOptions;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.Logging;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.InterruptSignals;
import dev.stint.cli.plane.MetricsServing;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeFactory;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.share.TakeOver;
import dev.stint.cli.simulate.ConsoleSimulator;
import dev.stint.console.ConsoleApp;
import dev.stint.console.ConsoleOptions;
import dev.stint.console.signin.SignInLinks;
import dev.stint.embedded.ApiEndpoint;
import dev.stint.embedded.Bootstrap;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.ControllerName;
import dev.stint.embedded.ProcessPods;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.Sharing;
import dev.stint.embedded.token.PodTokenIssuer;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.podsecurity.PodSecuritySettings;
import dev.stint.runner.access.RunningPods;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.process.ProcessRuntime;
import dev.stint.runner.runtime.Runtime;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** One {@code up}: a control plane over a data directory, and its API on a port. */
final class UpSession implements AutoCloseable {
  /**
   * The options of a server.
   *
   * @param kubeconfig the file that clients need; null for the data directory only
   * @param audit null for no audit log
   * @param limits the limits of clients
   * @param allowPrivileged true if pods may have privileged containers
   * @param podSecurity the settings of pod security
   * @param services where webhooks behind services are, by {@code NAMESPACE/NAME}
   * @param eventTtl the time for which events are kept
   */
  record Options(
      DataLocation data,
      InetSocketAddress listen,
      @Nullable Path kubeconfig,
      RuntimeKind runtime,
      Set<ControllerName> controllers,
      @Nullable AuditSettings audit,
      int maxPods,
      int maxPodsPerNamespace,
      HttpLimits limits,
      StoreOptions store,
      EncryptionConfiguration encryption,
      PodOptions pods,
      boolean allowPrivileged,
      PodSecuritySettings podSecurity,
      Map<String, InetSocketAddress> services,
      Duration eventTtl) {}

  private final Console console;
  private final Options options;
  private final DataDirectory directory;
  private final ControlPlane plane;
  private final MetricsServing metrics;
  private final Sharing sharing;
  private final ApiEndpoint.Preparation preparation;
  private final UpEnd end;
  private final ConsoleApp site;
  private @Nullable Runtime runtime;
  private @Nullable ApiEndpoint endpoint;
  private volatile boolean announced;

  private UpSession(
      Console console,
      Options options,
      DataDirectory directory,
      ControlPlane plane,
      ApiEndpoint.Preparation preparation,
      MetricsServing metrics,
      Sharing sharing) {
    this.sharing = sharing;
    this.metrics = metrics;
    this.preparation = preparation;
    this.console = console;
    this.options = options;
    this.directory = directory;
    this.plane = plane;
    this.end = new UpEnd(console, plane::failure);
    this.site = site();
  }

  /**
   * Opens the data directory for this process alone.
   *
   * @throws UserException if it cannot be opened
   */
  static UpSession open(Console console, Options options, ControllerOptions controller) {
    MetricsServing metrics = controller.metrics();
    Sharing sharing = new Sharing(options.pods().surroundings(console.environment()), true);
    ControlPlaneOptions planeOptions =
        planeOptions(options, controller)
            .with(metrics.metrics())
            .withRepeatsOfLost(sharing::repeatsLost);
    try (EarlyListening listening = new EarlyListening(options.listen())) {
      DataDirectory directory =
          new TakeOver(console, options.data(), holder(options), listening::bind).open();
      if (!Logging.isStarted()) {
        Logging.toFile(options.data().log());
      }
      ApiEndpoint.Preparation preparation =
          new ApiEndpoint.Preparation(
              options.data().layout().keys(),
              options.listen(),
              InstantSource.system(),
              options.limits(),
              listening.channel());
      EncryptedEngine engine =
          new EncryptedEngine(RocksEngine.open(directory.store()), options.encryption());
      ControlPlane plane = new ControlPlane(engine, planeOptions);
      EncryptionOptions.report(engine, console);
      listening.keep();
      return new UpSession(console, options, directory, plane, preparation, metrics, sharing);
    } catch (DataDirectoryException refused) {
      throw DataLocation.userException(refused);
    } catch (IOException | StoreException fault) {
      throw new UserException("cannot open " + options.data().path() + ": " + fault.getMessage());
    }
  }

  private static ControlPlaneOptions planeOptions(Options options, ControllerOptions controller) {
    return new ControlPlaneOptions(
            options.store(),
            controller.jobs(_ -> true),
            options.maxPods(),
            _ -> true,
            options.runtime() != RuntimeKind.none,
            true)
        .withMaxPodsPerNamespace(options.maxPodsPerNamespace())
        .with(options.pods().machine(), options.pods().inputsTimeout())
        .withDevices(options.pods().devices())
        .withEventsOfBinding()
        .withPrivilegedContainers(options.allowPrivileged())
        .withPodSecurity(options.podSecurity())
        .withServiceAddresses(options.services())
        .withEventTimeToLive(options.eventTtl())
        .withTokens(tokens(options));
  }

  /** Returns this process as the holder of the directory. */
  private static HolderInfo holder(Options options) {
    return new HolderInfo(
        ProcessHandle.current().pid(),
        "up",
        options.runtime().name(),
        options.encryption().digest(),
        options.pods().limits(options.maxPods()),
        options.pods().permissions());
  }

  /**
   * Decides which pods get a token. Processes of a machine get rights at this API only if they ask
   * for them. Containers get a token as in a cluster, if they reach the API and have accounts.
   */
  private static TokenAutomount tokens(Options options) {
    return switch (options.runtime()) {
      case process -> TokenAutomount.ON_REQUEST;
      case container ->
          PodTokenIssuer.isReachableForContainers(options.listen())
                  && options.controllers().contains(ControllerName.SERVICEACCOUNT)
              ? TokenAutomount.BY_DEFAULT
              : TokenAutomount.ON_REQUEST;
      case simulated, none -> TokenAutomount.NEVER;
    };
  }

  /** Serves until a signal comes or the store fails, and returns the exit status. */
  int serve() {
    listenForSignals();
    int status = end.await(this::begin);
    stop();
    return status;
  }

  private void begin() {
    if (options.runtime() != RuntimeKind.none) {
      runtime =
          RuntimeFactory.open(
              options.runtime(), options.pods(), sharing::surroundings, directory, console, plane);
    }
    ApiEndpoint api = listen();
    endpoint = api;
    api.keepValid();
    metrics.open(plane, console);
    sharing.open(directory, plane, holder(options), null);
    sharing.onStart();
    start(api);
    reportRisks();
    console.out().println("Serving " + api.url());
    console.out().println("To use it: export KUBECONFIG=" + kubeconfig());
    site.open();
  }

  private void listenForSignals() {
    InterruptSignals signals = new InterruptSignals(plane.clock(), console.terminal());
    end.status().thenRun(signals::onStop);
    console.signals().onEnding(signal -> onSignal(signals, signal));
  }

  private void start(ApiEndpoint api) {
    plane
        .start(options.controllers(), runtime, api.authority(), api.forPods())
        .exceptionally(fault -> {
          end.onFault("cannot adopt the pods of the previous run", fault);
          return null;
        });
  }

  /** Says what pods may do to this machine because of missing flags. */
  private void reportRisks() {
    if (options.runtime() == RuntimeKind.process && options.pods().users().isEmpty()) {
      console.say(
          "pods run as the user of this server, and can read its data directory; --pod-user runs"
              + " them as others (docs/security.md)");
    }
    if (options.runtime() == RuntimeKind.process && !options.pods().requireLimits()) {
      ProcessRuntime.whyNoLimits()
          .ifPresent(
              why -> console.say("warning: pods run without limits of CPU or memory: " + why));
    }
  }

  /** Returns the web console. Links are single-use; using one prints the next. */
  private ConsoleApp site() {
    Path data = options.data().path();
    LogTree logs = new LogTree(options.data().logs());
    return new ConsoleApp(
        new ConsoleOptions(
            brief(data),
            plane.cluster(),
            logs,
            (namespace, job) -> new LogSource.Local(logs, namespace, job),
            false,
            true,
            plane.clock(),
            plane.timers(),
            plane::random,
            new ConsoleSimulator(data, options.maxPods(), options.pods().machine()),
            this::announce),
        new SignInLinks(data, plane.clock()));
  }

  private static String brief(Path data) {
    Path home = Path.of(System.getProperty("user.home", "/"));
    return data.startsWith(home) ? "~/" + home.relativize(data) : data.toString();
  }

  private void announce(String path) {
    ApiEndpoint api = endpoint;
    if (api != null && console.outTerminal()) {
      console.out().println("Console: " + api.url() + path);
      console.out().flush();
    } else if (api != null && !announced) {
      announced = true; // A file keeps the link, and others may read it.
      console
          .out()
          .println("Console: " + api.url() + "/console (stint console makes a link to sign in)");
      console.out().flush();
    }
  }

  private ApiEndpoint listen() {
    try {
      ApiCalls.await(new Bootstrap(plane.cluster()).run());
      ApiEndpoint api =
          ApiEndpoint.open(
              plane,
              preparation,
              options.audit(),
              runtime instanceof RunningPods pods ? new ProcessPods(pods) : null,
              site,
              gate -> new MetricsFilter(gate, metrics.requestMetrics()),
              metrics.flowControlMetrics());
      api.writeKubeconfig(options.data().layout().kubeconfig());
      api.writeKubeconfig(kubeconfig());
      return api;
    } catch (BindException taken) {
      throw EarlyListening.taken(options.listen(), taken);
    } catch (IOException | GeneralSecurityException fault) {
      throw new UserException("cannot serve: " + fault.getMessage());
    }
  }

  private Path kubeconfig() {
    Path named = options.kubeconfig();
    return named != null
        ? named.toAbsolutePath().normalize()
        : options.data().layout().kubeconfig();
  }

  /**
   * Ends the command at the first signal, with a grace period for pods; kills them at the second.
   */
  private void onSignal(InterruptSignals signals, String signal) {
    if (!end.onSignal(ExitCode.of(signal).status()) && signals.isRepeated(signal)) {
      plane.interruptNow(sharing::isOwn);
    }
  }

  /** Ends the running pods, so that the next start runs them again: no process is left behind. */
  private void stop() {
    if (endpoint != null) {
      endpoint.close();
    }
    if (runtime == null) {
      return;
    }
    console.say("stopping pods; the next start runs them again");
    try {
      plane.interrupt(sharing::isOwn).get();
      RuntimeFactory.onInterrupted(runtime, !sharing.hasOthers(), directory, console);
    } catch (ExecutionException fault) {
      console.say("cannot stop all pods: " + fault.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    sharing.close();
    metrics.close();
    plane.close();
    if (runtime instanceof AutoCloseable closeable) {
      RuntimeFactory.close(closeable);
    }
    directory.close();
  }
}
