package dev.stint.embedded;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.pods.TokenAutomount;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.controllers.definition.DefinitionCleanup;
import dev.stint.controllers.definition.NameConflicts;
import dev.stint.controllers.gc.EventExpiry;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.model.podsecurity.PodSecuritySettings;
import dev.stint.reconcile.Controller;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.device.Devices;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.token.PodApi;
import dev.stint.runner.token.TokenRefusals;
import dev.stint.store.StorageEngine;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.UnavailableException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Store, API, Job controller and node agent in this process, each with its own worker: a thread by
 * default, or what another {@link ExecutionEnvironment} provides.
 *
 * <p>Open it over a storage engine, add a runtime for pods, start it, and use {@link #cluster()}
 * like any other Kubernetes API. Unfinished Jobs in the store continue as soon as it is started.
 */
public final class ControlPlane implements AutoCloseable {
  /** The one node that pods are bound to. */
  public static final String NODE = "localhost";

  /**
   * The options of a control plane.
   *
   * @param jobs the options of the Job controller; its feature gates are the API's too
   * @param runner the options of the agent that runs pods on {@link #NODE}; simulated pods use no
   *     resources of the machine
   * @param binding true if pods are bound to {@link #NODE} when they are created; otherwise another
   *     client may bind them
   * @param namespacesMustExist true if objects in namespaces that were not created are refused
   * @param metrics receives the controllers' metrics
   * @param clusterDecorator decorates the cluster that the controllers use, for example by a faulty
   *     network
   * @param allowPrivileged true if pods may have privileged containers
   * @param podSecurity the settings of pod security
   * @param tokens which pods get a token of their service account at its usual path
   * @param disabledPlugins the steps of admission that are left out, by the names of Kubernetes'
   *     admission plugins
   * @param serviceAddresses where webhooks behind services are, by {@code NAMESPACE/NAME}
   */
  public record Options(
      StoreOptions store,
      JobControllerOptions jobs,
      RunnerOptions runner,
      boolean binding,
      boolean namespacesMustExist,
      Metrics metrics,
      UnaryOperator<Cluster> clusterDecorator,
      boolean allowPrivileged,
      PodSecuritySettings podSecurity,
      TokenAutomount tokens,
      Set<String> disabledPlugins,
      Map<String, InetSocketAddress> serviceAddresses) {
    /** The default of a kubelet. */
    public static final int DEFAULT_MAX_PODS = 110;

    public static final Options DEFAULT =
        new Options(
            StoreOptions.defaults(), JobControllerOptions.DEFAULT, DEFAULT_MAX_PODS, pod -> true);

    /** Creates options with pods bound to the node, and namespaces that need not exist. */
    public Options(
        StoreOptions store,
        JobControllerOptions jobs,
        int maxPods,
        Predicate<KubeObject> podFilter) {
      this(store, jobs, maxPods, podFilter, true, false);
    }

    /** Creates options without metrics. */
    public Options(
        StoreOptions store,
        JobControllerOptions jobs,
        int maxPods,
        Predicate<KubeObject> podFilter,
        boolean binding,
        boolean namespacesMustExist) {
      this(
          store,
          jobs,
          new RunnerOptions(NODE, maxPods, podFilter),
          binding,
          namespacesMustExist,
          Metrics.NONE,
          UnaryOperator.identity(),
          true,
          PodSecuritySettings.LABELS_ONLY,
          TokenAutomount.NEVER,
          Set.of(),
          Map.of());
    }

    /** Returns these options with other metrics for the controllers. */
    public Options with(Metrics other) {
      return with(draft -> draft.metrics = other);
    }

    /**
     * Returns these options with another amount of resources to share, and another time that pods
     * wait for missing inputs.
     */
    public Options with(ResourceAmount shared, Duration patience) {
      return with(runner.withMachine(shared).withInputsTimeout(patience));
    }

    /** Returns these options with another limit of pods for each namespace. */
    public Options withMaxPodsPerNamespace(int most) {
      return with(runner.withMaxPodsPerNamespace(most));
    }

    /** Returns these options with other devices for pods. */
    public Options withDevices(Devices devices) {
      return with(runner.withDevices(devices));
    }

    /**
     * Returns these options with pods whose attempts are run again if a restart of the machine took
     * them, see {@link RunnerOptions#repeatsLost}.
     */
    public Options withRepeatsOfLost(Predicate<KubeObject> pods) {
      return with(runner.withRepeatsOfLost(pods));
    }

    /**
     * Returns these options with another delay by which writes of a pod's status wait for a newer
     * one; the last one is never delayed.
     */
    public Options withStatusDelay(Duration delay) {
      return with(runner.withStatusDelay(delay));
    }

    /**
     * Returns these options with an event for each pod that is bound, unless there are too many.
     */
    public Options withEventsOfBinding() {
      return with(runner.withEventsOfBinding());
    }

    /** Returns these options with a decorator of the cluster that the controllers use. */
    public Options withClusterDecorator(UnaryOperator<Cluster> decorator) {
      return with(draft -> draft.clusterDecorator = decorator);
    }

    /** Returns these options with privileged containers allowed or refused. */
    public Options withPrivilegedContainers(boolean allowed) {
      return with(draft -> draft.allowPrivileged = allowed);
    }

    /** Returns these options with other settings of pod security. */
    public Options withPodSecurity(PodSecuritySettings settings) {
      return with(draft -> draft.podSecurity = settings);
    }

    /** Returns these options with tokens for other pods. */
    public Options withTokens(TokenAutomount other) {
      return with(draft -> draft.tokens = other);
    }

    /** Returns these options without these steps of admission. */
    public Options withoutPlugins(Set<String> names) {
      return with(draft -> draft.disabledPlugins = Set.copyOf(names));
    }

    /** Returns these options with addresses of services. */
    public Options withServiceAddresses(Map<String, InetSocketAddress> addresses) {
      return with(draft -> draft.serviceAddresses = Map.copyOf(addresses));
    }

    private Options with(RunnerOptions other) {
      return with(draft -> draft.runner = other);
    }

    private Options with(Consumer<Draft> change) {
      Draft draft = new Draft(this);
      change.accept(draft);
      return draft.finished();
    }

    /** A mutable copy of options. */
    private static final class Draft {
      private StoreOptions store;
      private JobControllerOptions jobs;
      private RunnerOptions runner;
      private boolean binding;
      private boolean namespacesMustExist;
      private Metrics metrics;
      private UnaryOperator<Cluster> clusterDecorator;
      private boolean allowPrivileged;
      private PodSecuritySettings podSecurity;
      private TokenAutomount tokens;
      private Set<String> disabledPlugins;
      private Map<String, InetSocketAddress> serviceAddresses;

      Draft(Options from) {
        this.store = from.store;
        this.jobs = from.jobs;
        this.runner = from.runner;
        this.binding = from.binding;
        this.namespacesMustExist = from.namespacesMustExist;
        this.metrics = from.metrics;
        this.clusterDecorator = from.clusterDecorator;
        this.allowPrivileged = from.allowPrivileged;
        this.podSecurity = from.podSecurity;
        this.tokens = from.tokens;
        this.disabledPlugins = from.disabledPlugins;
        this.serviceAddresses = from.serviceAddresses;
      }

      Options finished() {
        return new Options(
            store,
            jobs,
            runner,
            binding,
            namespacesMustExist,
            metrics,
            clusterDecorator,
            allowPrivileged,
            podSecurity,
            tokens,
            disabledPlugins,
            serviceAddresses);
      }
    }
  }

  private final ExecutionEnvironment environment;
  private final ExecutionEnvironment.Worker storeLoop;
  private final ExecutionEnvironment.Worker diskLoop;
  private final ExecutionEnvironment.Worker watchLoop;
  private final ExecutionEnvironment.Worker controllerLoop;
  private final ExecutionEnvironment.Worker runnerLoop;
  private final ExecutionEnvironment.Worker managerLoop;
  private final Timers timers;
  private final InstantSource clock;
  private final Options options;
  private final Store store;
  private final ApiServer api;
  private final JobController jobs;
  private final List<Controller> running = new CopyOnWriteArrayList<>();
  private volatile @Nullable Runner runner;
  private CompletableFuture<@Nullable Void> adopted = CompletableFuture.completedFuture(null);

  /**
   * Opens the store. The control plane owns the engine from here on.
   *
   * @throws StoreException the engine could not be read
   */
  public ControlPlane(StorageEngine engine, Options options) throws StoreException {
    this(engine, options, new ThreadedEnvironment());
  }

  /** Opens the store in another execution environment, which the control plane owns too. */
  public ControlPlane(StorageEngine engine, Options options, ExecutionEnvironment environment)
      throws StoreException {
    this.options = options;
    this.environment = environment;
    this.storeLoop = environment.worker("stint-store");
    this.diskLoop = environment.worker("stint-disk");
    this.watchLoop = environment.worker("stint-watches");
    this.controllerLoop = environment.worker("stint-jobs");
    this.runnerLoop = environment.worker("stint-runner");
    this.managerLoop = environment.worker("stint-controllers");
    this.timers = environment.timers();
    this.clock = environment.clock();
    this.store = Store.open(engine, storeLoop, diskLoop, options.store());
    this.api =
        new ApiServer(
            store,
            watchLoop,
            clock,
            environment.random(),
            options.jobs().gates(),
            apiOptions(options));
    this.jobs =
        new JobController(
            options.clusterDecorator().apply(api.ahead(controllerLoop)),
            eventLoop(controllerLoop),
            options.metrics(),
            options.jobs());
  }

  private EventLoop eventLoop(ExecutionEnvironment.Worker worker) {
    return new EventLoop(worker, clock, timers, environment.random());
  }

  private ApiServer.Options apiOptions(Options options) {
    double scarceFrom = options.namespacesMustExist() ? HeapRoom.MOST_OF_ONE : HeapRoom.MOST;
    ApiServer.Options plain =
        ApiServer.Options.defaults()
            .withPrivilegedContainers(options.allowPrivileged())
            .withPodSecurity(options.podSecurity())
            .withTokens(options.tokens())
            .withoutPlugins(options.disabledPlugins())
            .withServiceAddresses(options.serviceAddresses())
            .withRoom(HeapRoom.ofThisProcess(scarceFrom, InstantSource.system(), this::forget));
    ApiServer.Options bound = options.binding() ? plain.withNode(NODE) : plain;
    return options.namespacesMustExist() ? bound.withNamespacesThatExist() : bound;
  }

  private void forget() {
    api.rest();
  }

  /** Returns the API server. */
  public ApiServer api() {
    return api;
  }

  /** Returns the API as a cluster. */
  public Cluster cluster() {
    return api;
  }

  /** Returns the delay after which the Job controller replaces failed pods. */
  public ExponentialBackoff retryDelay() {
    return options.jobs().engine().backoff();
  }

  public InstantSource clock() {
    return clock;
  }

  public Timers timers() {
    return timers;
  }

  /** Returns a new generator of random numbers for each caller; one thread at a time may use it. */
  public RandomGenerator random() {
    return environment.random();
  }

  /**
   * Completes with the cause when the store can no longer write, for example because the disk is
   * full; otherwise never.
   */
  public CompletableFuture<UnavailableException> failure() {
    return store.failure();
  }

  /**
   * Starts the controllers that Jobs need, and the node agent, as {@link #start(Set, Runtime)}
   * does.
   */
  public CompletableFuture<@Nullable Void> start(Runtime runtime) {
    return start(EnumSet.of(ControllerName.JOB, ControllerName.AFTER), runtime);
  }

  /** Returns the options of the agent; simulated pods use no resources of this machine. */
  private RunnerOptions runnerOptions(Runtime runtime, @Nullable PodApi pods) {
    RunnerOptions given = options.runner();
    if (runtime instanceof SimulatedRuntime) {
      return given.withRefusals(this::levelRefusals).withMachine(ResourceAmount.UNLIMITED);
    }
    TokenRefusals tokens = new TokenRefusals(pods, runtime::reachesLoopback);
    RunnerOptions refusing =
        given.withRefusals(
            pod -> Stream.concat(levelRefusals(pod).stream(), tokens.of(pod).stream()).toList());
    return pods == null ? refusing : refusing.withApi(pods);
  }

  private List<FieldError> levelRefusals(KubeObject pod) {
    return options.namespacesMustExist() ? namespaceLevels().refusals(pod) : List.of();
  }

  /** Returns the levels of pod security of the namespaces. */
  public NamespaceLevels namespaceLevels() {
    return new NamespaceLevels(api, options.podSecurity());
  }

  /**
   * Starts controllers and the node agent.
   *
   * @param controllers the controllers to start
   * @param runtime runs the pods; null if another node does, so that there is no agent
   * @return completes when the node agent has adopted what an earlier process left
   */
  public CompletableFuture<@Nullable Void> start(
      Set<ControllerName> controllers, @Nullable Runtime runtime) {
    return start(controllers, runtime, null, null);
  }

  /**
   * Starts controllers and the node agent.
   *
   * @param controllers the controllers to start
   * @param runtime runs the pods; null if another node does, so that there is no agent
   * @param authority the certificate of the API server's authority, as PEM, to be published in
   *     every namespace; null for none
   * @param pods the API as pods see it; null if nothing issues tokens to them
   * @return completes when the node agent has adopted what an earlier process left
   */
  public CompletableFuture<@Nullable Void> start(
      Set<ControllerName> controllers,
      @Nullable Runtime runtime,
      @Nullable String authority,
      @Nullable PodApi pods) {
    if (controllers.contains(ControllerName.JOB)) {
      jobs.start();
    }
    EventExpiry expiry = new EventExpiry(api, eventLoop(managerLoop));
    running.add(expiry);
    expiry.start();
    if (options.namespacesMustExist()) {
      FlowControlMaintainer flowControl = new FlowControlMaintainer(api, eventLoop(managerLoop));
      running.add(flowControl);
      flowControl.start();
    }
    IdleMemoryRelease release = new IdleMemoryRelease(api.registry()::revision, api::rest, timers);
    running.add(release);
    release.start();
    if (runtime == null) {
      startControllerManager(controllers, authority);
      return adopted;
    }
    Runner agent = new Runner(api, runtime, eventLoop(runnerLoop), runnerOptions(runtime, pods));
    runner = agent;
    adopted = agent.start();
    if (!options.namespacesMustExist()) {
      startControllerManager(controllers, authority);
      return adopted;
    }
    LocalNode node =
        new LocalNode(api, clock, NODE, options.runner().maxPods(), options.runner().machine());
    return node.register()
        .thenCompose(_ -> {
          startControllerManager(controllers, authority);
          return adopted;
        });
  }

  /**
   * Starts the controller manager; called after the node is registered: otherwise the pod garbage
   * collector would delete the pods of a node that it does not know.
   */
  private void startControllerManager(Set<ControllerName> controllers, @Nullable String authority) {
    Cluster decorated = options.clusterDecorator().apply(api);
    EventLoop loop = eventLoop(managerLoop);
    running.addAll(
        new ControllerManager(
                decorated,
                api.builtInKinds(),
                new KindsOfApi(api),
                loop,
                options.metrics(),
                options.jobs(),
                authority)
            .start(controllers));
    start(new DefinitionCleanup(decorated, loop, options.metrics()));
    start(new NameConflicts(decorated, loop, options.metrics()));
  }

  private void start(Controller controller) {
    controller.start();
    running.add(controller);
  }

  /**
   * Ends all running containers without recording their end, so that the next process runs them
   * again; completes when all have ended.
   */
  public CompletableFuture<@Nullable Void> interrupt() {
    jobs.close();
    return afterAdoption(Runner::interrupt);
  }

  /** Does what {@link #interrupt()} does for some pods; the others continue unattended. */
  public CompletableFuture<@Nullable Void> interrupt(Predicate<KubeObject> pods) {
    jobs.close();
    return afterAdoption(agent -> agent.interrupt(pods));
  }

  /** Takes up Jobs and pods that the filters in the options accept by now. */
  public void reconsider() {
    jobs.reconsider();
    running.forEach(Controller::reconsider);
    Runner agent = runner;
    if (agent != null) {
      agent.reconsider();
    }
  }

  /** Does what {@link #interrupt()} does, without grace periods; may also be called after it. */
  public CompletableFuture<@Nullable Void> interruptNow() {
    jobs.close();
    return afterAdoption(Runner::interruptNow);
  }

  /** Does what {@link #interruptNow()} does for some pods; the others continue unattended. */
  public CompletableFuture<@Nullable Void> interruptNow(Predicate<KubeObject> pods) {
    jobs.close();
    return afterAdoption(agent -> agent.interruptNow(pods));
  }

  /**
   * Ends containers only after the agent has adopted what an earlier process left, because that
   * must be ended too.
   */
  private CompletableFuture<@Nullable Void> afterAdoption(
      Function<Runner, CompletableFuture<@Nullable Void>> end) {
    Runner agent = runner;
    return agent == null
        ? CompletableFuture.completedFuture(null)
        : adopted.handle((done, failure) -> agent).thenCompose(end);
  }

  /** Stops the controller and the node agent; the API and running containers continue. */
  public void stop() {
    jobs.close();
    Runner agent = runner;
    if (agent != null) {
      agent.close();
    }
    running.forEach(Controller::close);
    controllerLoop.close();
    managerLoop.close();
    runnerLoop.close();
  }

  /** Stops everything; running containers continue, for the next process to adopt. */
  @Override
  public void close() {
    stop();
    store.close();
    storeLoop.close();
    diskLoop.close();
    watchLoop.close();
    environment.close();
  }
}
