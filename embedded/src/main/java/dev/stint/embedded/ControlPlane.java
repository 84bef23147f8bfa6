package dev.stint.embedded;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.controllers.gc.EventExpiry;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.Controller;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.store.StorageEngine;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.UnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Store, API, Job controller and node agent in this process, each with a worker of its own: a
 * thread, unless it is given another {@link ExecutionEnvironment}.
 *
 * <p>Open it over a storage engine, add a runtime for pods, start it, and use {@link #cluster()}
 * like any other Kubernetes API. Unfinished Jobs that the store holds go on as soon as it is
 * started.
 */
public final class ControlPlane implements AutoCloseable {
  /** The one node that pods are bound to. */
  public static final String NODE = "localhost";

  /**
   * How it behaves.
   *
   * @param jobs how the Job controller works; its feature gates are the API's too
   * @param runner how pods run, on {@link #NODE}; those that only pass time take nothing of the
   *     machine
   * @param binding whether pods are bound to {@link #NODE} as they are created; else somebody else
   *     binds them, or nobody
   * @param namespacesMustExist whether objects are refused whose namespace was not created
   * @param metrics what the controllers tell of what they do
   * @param wayToApi puts something between the controllers and the API, such as a bad network
   * @param allowPrivileged whether pods may have privileged containers
   */
  public record Options(
      StoreOptions store,
      JobControllerOptions jobs,
      RunnerOptions runner,
      boolean binding,
      boolean namespacesMustExist,
      Metrics metrics,
      UnaryOperator<Cluster> wayToApi,
      boolean allowPrivileged) {
    /** A kubelet's default. */
    public static final int DEFAULT_MAX_PODS = 110;

    public static final Options DEFAULT =
        new Options(
            StoreOptions.defaults(), JobControllerOptions.DEFAULT, DEFAULT_MAX_PODS, pod -> true);

    /** Pods are bound, and namespaces need not exist. */
    public Options(
        StoreOptions store,
        JobControllerOptions jobs,
        int maxPods,
        Predicate<KubeObject> podFilter) {
      this(store, jobs, maxPods, podFilter, true, false);
    }

    /** Controllers tell nobody. */
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
          true);
    }

    /** The same, with the controllers telling of what they do. */
    public Options with(Metrics told) {
      return new Options(
          store, jobs, runner, binding, namespacesMustExist, told, wayToApi, allowPrivileged);
    }

    /** The same, with another machine to share, and another time that pods wait for what is not. */
    public Options with(ResourceAmount shared, Duration patience) {
      return with(runner.withMachine(shared).withInputsTimeout(patience));
    }

    /**
     * The same, with another time that a pod's status waits for a newer one; the last one never.
     */
    public Options withStatusDelay(Duration delay) {
      return with(runner.withStatusDelay(delay));
    }

    /** The same, with an event about each pod that is bound, as far as those are not too many. */
    public Options withEventsOfBinding() {
      return with(runner.withEventsOfBinding());
    }

    /** The same, with something between the controllers and the API. */
    public Options withWayToApi(UnaryOperator<Cluster> way) {
      return new Options(
          store, jobs, runner, binding, namespacesMustExist, metrics, way, allowPrivileged);
    }

    /** The same, with pods that may have privileged containers, or may not. */
    public Options withPrivilegedContainers(boolean allowed) {
      return new Options(
          store, jobs, runner, binding, namespacesMustExist, metrics, wayToApi, allowed);
    }

    private Options with(RunnerOptions other) {
      return new Options(
          store, jobs, other, binding, namespacesMustExist, metrics, wayToApi, allowPrivileged);
    }
  }

  private final ExecutionEnvironment machinery;
  private final ExecutionEnvironment.Worker storeLoop;
  private final ExecutionEnvironment.Worker diskLoop;
  private final ExecutionEnvironment.Worker watchLoop;
  private final ExecutionEnvironment.Worker controllerLoop;
  private final ExecutionEnvironment.Worker runnerLoop;
  private final ExecutionEnvironment.Worker housekeepingLoop;
  private final Timers timers;
  private final InstantSource clock;
  private final Options options;
  private final Store store;
  private final ApiServer api;
  private final JobController jobs;
  private final List<Controller> housekeeping = new CopyOnWriteArrayList<>();
  private @Nullable Runner runner;
  private CompletableFuture<@Nullable Void> takenOver = CompletableFuture.completedFuture(null);

  /**
   * Reads the store back. The engine belongs to the control plane from here on.
   *
   * @throws StoreException the engine could not be read
   */
  public ControlPlane(StorageEngine engine, Options options) throws StoreException {
    this(engine, options, new ThreadedEnvironment());
  }

  /** The same, on other machinery, which belongs to the control plane too. */
  public ControlPlane(StorageEngine engine, Options options, ExecutionEnvironment machinery)
      throws StoreException {
    this.options = options;
    this.machinery = machinery;
    this.storeLoop = machinery.worker("stint-store");
    this.diskLoop = machinery.worker("stint-disk");
    this.watchLoop = machinery.worker("stint-watches");
    this.controllerLoop = machinery.worker("stint-jobs");
    this.runnerLoop = machinery.worker("stint-runner");
    this.housekeepingLoop = machinery.worker("stint-housekeeping");
    this.timers = machinery.timers();
    this.clock = machinery.clock();
    this.store = Store.open(engine, storeLoop, diskLoop, options.store());
    this.api =
        new ApiServer(
            store,
            watchLoop,
            clock,
            machinery.random(),
            options.jobs().gates(),
            apiOptions(options));
    this.jobs =
        new JobController(
            options.wayToApi().apply(api.ahead(controllerLoop)),
            eventLoop(controllerLoop),
            options.metrics(),
            options.jobs());
  }

  private EventLoop eventLoop(ExecutionEnvironment.Worker worker) {
    return new EventLoop(worker, clock, timers, machinery.random());
  }

  private static ApiServer.Options apiOptions(Options options) {
    ApiServer.Options plain =
        ApiServer.Options.defaults().withPrivilegedContainers(options.allowPrivileged());
    ApiServer.Options bound = options.binding() ? plain.withNode(NODE) : plain;
    return options.namespacesMustExist() ? bound.withNamespacesThatExist() : bound;
  }

  /** The API, with all that is served of it. */
  public ApiServer api() {
    return api;
  }

  /** The API. */
  public Cluster cluster() {
    return api;
  }

  public InstantSource clock() {
    return clock;
  }

  public Timers timers() {
    return timers;
  }

  /** Completes when the store cannot write any more (disk full, for one), with why. Else never. */
  public CompletableFuture<UnavailableException> failure() {
    return store.failure();
  }

  /** Starts the Job controller and the node agent, as {@link #start(Set, Runtime)} does. */
  public CompletableFuture<@Nullable Void> start(Runtime runtime) {
    return start(Set.of(ControllerName.JOB), runtime);
  }

  /** Pods that only pass time take nothing of this machine. */
  private RunnerOptions runnerOptions(Runtime runtime) {
    return runtime instanceof SimulatedRuntime
        ? options.runner().withMachine(ResourceAmount.UNLIMITED)
        : options.runner();
  }

  /**
   * Starts controllers and the node agent.
   *
   * @param controllers which of them
   * @param runtime what makes pods run; null where somebody else does, so that there is no agent
   * @return completes when the node agent has taken over what an earlier life left
   */
  public CompletableFuture<@Nullable Void> start(
      Set<ControllerName> controllers, @Nullable Runtime runtime) {
    return start(controllers, runtime, null);
  }

  /**
   * Starts controllers and the node agent.
   *
   * @param controllers which of them
   * @param runtime what makes pods run; null where somebody else does, so that there is no agent
   * @param authority the certificate that clients know the API server by, as PEM, for every
   *     namespace; null for none
   * @return completes when the node agent has taken over what an earlier life left
   */
  public CompletableFuture<@Nullable Void> start(
      Set<ControllerName> controllers, @Nullable Runtime runtime, @Nullable String authority) {
    if (controllers.contains(ControllerName.JOB)) {
      jobs.start();
    }
    EventExpiry expiry = new EventExpiry(api, eventLoop(housekeepingLoop));
    housekeeping.add(expiry);
    expiry.start();
    IdleMemoryRelease idleness = new IdleMemoryRelease(api.registry()::revision, api::rest, timers);
    housekeeping.add(idleness);
    idleness.start();
    if (runtime == null) {
      startHousekeeping(controllers, authority);
      return takenOver;
    }
    Runner agent = new Runner(api, runtime, eventLoop(runnerLoop), runnerOptions(runtime));
    runner = agent;
    takenOver = agent.start();
    if (!options.namespacesMustExist()) {
      startHousekeeping(controllers, authority);
      return takenOver;
    }
    LocalNode node =
        new LocalNode(api, clock, NODE, options.runner().maxPods(), options.runner().machine());
    return node.register()
        .thenCompose(_ -> {
          startHousekeeping(controllers, authority);
          return takenOver;
        });
  }

  /** Not before the node is known, whose pods nobody would need otherwise. */
  private void startHousekeeping(Set<ControllerName> controllers, @Nullable String authority) {
    Cluster way = options.wayToApi().apply(api);
    housekeeping.addAll(
        new ControllerManager(way, eventLoop(housekeepingLoop), options.metrics(), authority)
            .start(controllers));
  }

  /**
   * Ends what runs without writing that it ended, so that the next life runs it again; completes
   * when all is gone.
   */
  public CompletableFuture<@Nullable Void> interrupt() {
    jobs.close();
    return ofRunner(Runner::interrupt);
  }

  /** Like {@link #interrupt}, also after it, without grace. */
  public CompletableFuture<@Nullable Void> interruptNow() {
    jobs.close();
    return ofRunner(Runner::interruptNow);
  }

  /** Not before it has taken over what an earlier life left, which has to be ended too. */
  private CompletableFuture<@Nullable Void> ofRunner(
      Function<Runner, CompletableFuture<@Nullable Void>> end) {
    Runner agent = runner;
    return agent == null
        ? CompletableFuture.completedFuture(null)
        : takenOver.handle((done, failure) -> agent).thenCompose(end);
  }

  /** Stops the controller and the node agent; the API goes on. Containers that run go on too. */
  public void stop() {
    jobs.close();
    if (runner != null) {
      runner.close();
    }
    housekeeping.forEach(Controller::close);
    controllerLoop.close();
    housekeepingLoop.close();
    runnerLoop.close();
  }

  /** Stops everything; containers that still run go on, for the next life to take over. */
  @Override
  public void close() {
    stop();
    store.close();
    storeLoop.close();
    diskLoop.close();
    watchLoop.close();
    machinery.close();
  }
}
