package dev.stint.simulation;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.controllers.gc.GarbageCollector;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.gc.TtlController;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.controllers.mirror.AssignmentOptions;
import dev.stint.controllers.mirror.MirrorNames;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.controllers.mirror.WorkerMirrors;
import dev.stint.harness.JobBuilder;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Complete clusters and mirrors between them, which take turns on one thread: a manager, which has
 * no node, and one or more workers, on which all pods run.
 */
final class MirrorTestbed {
  static final String CLAIM = "stint.dev/mirror";

  private static final Duration TICK = Duration.ofMillis(500);

  /** One cluster. */
  final class Side {
    final ApiServer api;
    final RequestLog ofMirror = new RequestLog();
    final RequestLog ofJobController = new RequestLog();
    final Network toMirror;
    private final Lifetime life = new Lifetime();
    private boolean away;

    /** The fate of the Job controller's requests. */
    RequestDelivery.Draw luckOfJobs = _ -> RequestDelivery.GOOD;

    Side() {
      api =
          new ApiServer(
              store(),
              scheduler.serial(life),
              time,
              new Random(random.nextLong()),
              FeatureGates.DEFAULT,
              ApiServer.Options.defaults().withNode("node"));
      toMirror =
          new Network(
              ofMirror.of(api),
              scheduler.serial(life),
              () -> scheduler.serial(life),
              creates -> away ? RequestDelivery.REQUEST_LOST : luck.of(creates),
              _ -> {});
      answer(
          api.create(
              object("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'kube-system'}}")));
      EventLoop loop = loop();
      new JobController(
              ofJobController.of(
                  new Network(
                      api,
                      scheduler.serial(life),
                      () -> scheduler.serial(life),
                      creates -> luckOfJobs.of(creates),
                      _ -> {})),
              loop(),
              Metrics.NONE,
              JobControllerOptions.DEFAULT)
          .start();
      new GarbageCollector(api, loop, Metrics.NONE, ServedKinds.fixed(List.of(Kind.JOB, Kind.POD)))
          .start();
      new TtlController(api, loop, Metrics.NONE).start();
    }

    private EventLoop loop() {
      return new EventLoop(
          scheduler.serial(life), time, time.timersOf(life), new Random(random.nextLong()));
    }

    private Store store() {
      try {
        return Store.open(new SimulatedEngine(), scheduler.serial(life), StoreOptions.defaults());
      } catch (StoreException impossible) {
        throw new AssertionError(impossible);
      }
    }

    void node(SimulatedRuntime.Script script) {
      Timers timers = time.timersOf(life);
      SimulatedRuntime runtime =
          new SimulatedRuntime(script, new Random(random.nextLong()), time, timers);
      RunnerOptions options = new RunnerOptions("node", Integer.MAX_VALUE, pod -> true);
      new Runner(api, runtime, loop(), options).start();
    }

    /** Stops answering the mirror. */
    void leave() {
      away = true;
      toMirror.breakWatches(null);
    }

    void comeBack() {
      away = false;
    }

    KubeObject create(KubeObject object) {
      return answer(api.create(object));
    }

    KubeObject see(String job) {
      return answer(api.get(job(job)));
    }

    boolean has(String job) {
      return list(Kind.JOB).stream().anyMatch(object -> object.name().equals(job));
    }

    List<KubeObject> list(Kind kind) {
      return answer(api.list(kind, "default")).items();
    }

    JobStatus status(String job) {
      return JobStatus.read(see(job).status());
    }

    List<String> conditions(String job) {
      return status(job).conditions().stream()
          .filter(JobCondition::isTrue)
          .map(JobCondition::type)
          .filter(type -> !type.equals(MirrorNames.CONDITION))
          .toList();
    }

    /** Returns {@code True}, or the reason why it is not true. */
    String mirrored(String job) {
      return status(job)
          .condition(MirrorNames.CONDITION)
          .map(condition -> condition.isTrue() ? "True" : condition.reason())
          .orElse("");
    }

    void change(String job, String mergePatch) {
      answer(api.patch(job(job), Json.parse(mergePatch.replace('\'', '"'))));
    }

    void delete(String job, Propagation how) {
      answer(api.delete(job(job), new DeleteOptions(see(job).uid(), null, how)));
    }
  }

  final Random random;
  final SimulatedTime time = new SimulatedTime(SimulatedSystem.START);
  final Scheduler scheduler;
  final Side manager;
  final Side worker;

  /** All workers, in the order in which a mirror is given them. */
  final List<Side> workers = new ArrayList<>();

  private RequestDelivery.Draw luck = _ -> RequestDelivery.GOOD;
  private Lifetime mirror = new Lifetime();
  private InstantSource clockOfMirror = time;
  private int steps;

  MirrorTestbed(long seed) {
    random = new Random(seed);
    scheduler = new Scheduler(new Random(random.nextLong()), time, 0, Duration.ZERO);
    manager = new Side();
    worker = new Side();
    workers.add(worker);
  }

  /** Creates a bed with several workers. */
  MirrorTestbed(long seed, int workers) {
    this(seed);
    while (this.workers.size() < workers) {
      this.workers.add(new Side());
    }
  }

  /** Creates a bed whose mirror runs, and whose pods take a minute and succeed. */
  static MirrorTestbed running() {
    MirrorTestbed bed = new MirrorTestbed(1);
    bed.worker.node((_, _) -> new SimulatedRuntime.Outcome(Duration.ofMinutes(1), 0));
    bed.startMirror(bed.worker);
    return bed;
  }

  /** Sets the clock of the mirrors that are started from now on. */
  void clockOfMirror(InstantSource clock) {
    clockOfMirror = clock;
  }

  void luck(RequestDelivery.Draw ofRequests) {
    luck = ofRequests;
  }

  /** Starts a mirror with one worker in place of the running one, if there is one. */
  void startMirror(Side to) {
    startMirror(List.of(MirrorWorker.only(to.toMirror)), AssignmentOptions.DEFAULT);
  }

  /** Starts a mirror with all workers, by the names {@code w0}, {@code w1} and so on. */
  void startMirrors(AssignmentOptions options) {
    List<MirrorWorker> all = new ArrayList<>();
    for (Side side : workers) {
      all.add(new MirrorWorker("w" + all.size(), side.toMirror, _ -> true, 0));
    }
    startMirror(all, options);
  }

  void startMirror(List<MirrorWorker> to, AssignmentOptions options) {
    startMirror(manager.toMirror, to, options);
  }

  /** Starts a mirror in place of the running one. */
  void startMirror(Cluster from, List<MirrorWorker> to, AssignmentOptions options) {
    stopMirror();
    mirror = new Lifetime();
    addMirror(from, to, options);
  }

  /** Starts a mirror beside the running one. Both end together. */
  void addMirror(Cluster from, List<MirrorWorker> to, AssignmentOptions options) {
    new WorkerMirrors(
            from,
            to,
            CLAIM,
            FeatureGates.DEFAULT,
            new EventLoop(
                scheduler.serial(mirror),
                clockOfMirror,
                time,
                time.timersOf(mirror),
                new Random(random.nextLong())),
            Metrics.NONE,
            MirrorMetrics.NONE,
            options)
        .start();
  }

  /** Returns the worker that a Job is assigned to. */
  Side assigned(KubeObject job) {
    String name = Objects.requireNonNull(job.annotation(MirrorNames.ASSIGNED));
    return workers.get(Integer.parseInt(name.substring(1)));
  }

  /** Ends it as {@code kill -9} does. */
  void stopMirror() {
    mirror.end();
    manager.toMirror.breakWatches(null);
    workers.forEach(side -> side.toMirror.breakWatches(null));
  }

  /**
   * Lets time pass, with everything that happens in it, one tick at a time: timers of ended
   * components may make the scheduler jump to the next one.
   */
  void pass(Duration duration) {
    pass(duration, TICK);
  }

  void pass(Duration duration, Duration step) {
    Instant end = time.instant().plus(duration);
    while (time.instant().isBefore(end)) {
      CompletableFuture<Boolean> tick = new CompletableFuture<>();
      time.timersOf(new Lifetime()).after(step, () -> tick.complete(true));
      answer(tick);
    }
  }

  void seconds(int seconds) {
    pass(Duration.ofSeconds(seconds));
  }

  /** Returns how many tasks and timers ran. */
  int steps() {
    return steps;
  }

  <T> T answer(CompletableFuture<T> future) {
    while (!future.isDone()) {
      steps++;
      if (!scheduler.step()) {
        throw new AssertionError("no answer comes");
      }
    }
    return future.join();
  }

  /** Creates a Job on the manager that is handed to the worker. */
  KubeObject handOver(String name, String spec) {
    return manager.create(
        job(name, "'managedBy':'" + CLAIM + "'" + (spec.isEmpty() ? "" : "," + spec)));
  }

  static KubeObject job(String name, String spec) {
    return JobBuilder.named(name).spec(spec).command("w").build();
  }

  static KubeObject object(String json) {
    return KubeObject.of(Json.parse(json.replace('\'', '"')));
  }

  static ObjectRef job(String name) {
    return new ObjectRef(Kind.JOB, "default", name);
  }

  /** Returns the uids of the existing objects of a kind. */
  static TreeSet<String> uids(List<KubeObject> objects) {
    TreeSet<String> uids = new TreeSet<>();
    objects.forEach(object -> uids.add(object.uid()));
    return uids;
  }
}
