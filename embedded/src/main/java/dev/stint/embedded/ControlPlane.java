package dev.stint.embedded;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.SteadyClock;
import dev.stint.cluster.Timers;
import dev.stint.controllers.definition.DefinitionCleanup;
import dev.stint.controllers.definition.NameConflicts;
import dev.stint.controllers.gc.EventExpiry;
import dev.stint.controllers.job.JobController;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.reconcile.Controller;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.token.PodApi;
import dev.stint.runner.token.TokenRefusals;
import dev.stint.store.StorageEngine;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.UnavailableException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
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

  private final ExecutionEnvironment environment;
  private final ExecutionEnvironment.Worker storeLoop;
  private final ExecutionEnvironment.Worker diskLoop;
  private final ExecutionEnvironment.Worker watchLoop;
  private final ExecutionEnvironment.Worker controllerLoop;
  private final ExecutionEnvironment.Worker runnerLoop;
  private final ExecutionEnvironment.Worker managerLoop;
  private final Timers timers;
  private final InstantSource clock;
  private final ControlPlaneOptions options;
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
  public ControlPlane(StorageEngine engine, ControlPlaneOptions options) throws StoreException {
    this(engine, options, new ThreadedEnvironment());
  }

  /** Opens the store in another execution environment, which the control plane owns too. */
  public ControlPlane(
      StorageEngine engine, ControlPlaneOptions options, ExecutionEnvironment environment)
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
    return new EventLoop(worker, clock, environment.steady(), timers, environment.random());
  }

  private ApiServer.Options apiOptions(ControlPlaneOptions options) {
    double scarceFrom = options.namespacesMustExist() ? HeapRoom.MOST_OF_ONE : HeapRoom.MOST;
    ApiServer.Options plain =
        ApiServer.Options.defaults()
            .withPrivilegedContainers(options.allowPrivileged())
            .withPodSecurity(options.podSecurity())
            .withTokens(options.tokens())
            .withoutPlugins(options.disabledPlugins())
            .withServiceAddresses(options.serviceAddresses())
            .withRetries(environment.tasks())
            .withRoom(HeapRoom.ofThisProcess(scarceFrom, new SteadyClock(), this::forget));
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
   * full, before any write is refused for that; otherwise never.
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
    List<Controller> others = controllersBesides(controllers, authority);
    if (runtime != null) {
      Runner agent = new Runner(api, runtime, eventLoop(runnerLoop), runnerOptions(runtime, pods));
      runner = agent;
      adopted = agent.start();
    }
    return registerNode(runtime != null)
        .thenCompose(_ -> {
          others.forEach(Controller::start);
          running.addAll(others);
          return adopted;
        });
  }

  /**
   * Returns all controllers but the Job controller, which has an executor of its own: those that
   * keep the API itself in order, and those that are asked for.
   */
  private List<Controller> controllersBesides(
      Set<ControllerName> names, @Nullable String authority) {
    Cluster decorated = options.clusterDecorator().apply(api);
    EventLoop loop = eventLoop(managerLoop);
    List<Controller> all = new ArrayList<>();
    all.add(new EventExpiry(api, loop, options.eventTimeToLive()));
    all.add(new IdleMemoryRelease(api.registry()::revision, api::rest, timers));
    all.add(new DefinitionCleanup(decorated, loop, options.metrics()));
    all.add(new NameConflicts(decorated, loop, options.metrics()));
    if (options.namespacesMustExist()) {
      all.add(new FlowControlMaintainer(api, loop));
    }
    all.addAll(
        new ControllerManager(
                decorated, new KindsOfApi(api), loop, options.metrics(), options.jobs(), authority)
            .controllers(names));
    return all;
  }

  /**
   * Registers the node of the agent. Controllers start only after that: otherwise the pod garbage
   * collector would delete the pods of a node that it does not know.
   */
  private CompletableFuture<?> registerNode(boolean hasAgent) {
    return hasAgent && options.namespacesMustExist()
        ? new LocalNode(
                api, clock, NODE, options.runner().maxPods(), options.runner().machine(), null)
            .register()
        : CompletableFuture.completedFuture(null);
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
