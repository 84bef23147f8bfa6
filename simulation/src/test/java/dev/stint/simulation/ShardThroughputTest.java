package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.cluster.time.Lifetime;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.job.ShardWorker;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestLoop;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.Sharding;
import dev.stint.reconcile.leader.Term;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same Jobs with one replica and with three, in simulated time: the API takes no time but that
 * of the way, and each replica has one core. The costs are measured (docs/controller.md): 5.6 ms of
 * a replica's core per pod, of which each replica pays the decoding of all events.
 */
class ShardThroughputTest {
  private static final int JOBS = 200;
  private static final int PODS = 5;
  private static final Sharding SHARDS = new Sharding(12);
  private static final Duration ONE_WAY = Duration.ofMillis(5);
  private static final Duration REQUEST = Duration.ofNanos(1_700_000);
  private static final Duration EVENT = Duration.ofNanos(100_000);

  private final TestLoop world = new TestLoop();
  private final Random random = new Random(1);
  private final ApiServer api;

  ShardThroughputTest() throws StoreException {
    Store store = Store.open(new SimulatedDisk(_ -> {}), world, StoreOptions.defaults());
    api =
        new ApiServer(
            store,
            world,
            world.time,
            random,
            FeatureGates.DEFAULT,
            ApiServer.Options.defaults().withNode(SimulatedSystem.NODE));
    Timers timers = world.time.timersOf(new Lifetime());
    SimulatedRuntime runtime =
        new SimulatedRuntime(
            (_, _) -> new SimulatedRuntime.Outcome(Duration.ofMillis(100), 0),
            random,
            world.time,
            timers);
    RunnerOptions options = new RunnerOptions(SimulatedSystem.NODE, Integer.MAX_VALUE, _ -> true);
    new Runner(api, runtime, world.eventLoop(), options).start();
  }

  /** A core that does one thing after the other, each as long as it takes. */
  private final class Core implements Executor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private Duration owed = Duration.ZERO;
    private boolean busy;

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
      next();
    }

    void charge(Duration time) {
      owed = owed.plus(time);
    }

    private void next() {
      if (!busy && !tasks.isEmpty()) {
        busy = true;
        world.execute(this::work);
      }
    }

    private void work() {
      tasks.remove().run();
      Duration took = owed;
      owed = Duration.ZERO;
      if (took.isZero()) {
        onDone();
      } else {
        world.time.after(took, this::onDone);
      }
    }

    private void onDone() {
      busy = false;
      next();
    }
  }

  /** The way between a replica and the API, and what both ends of it cost the replica. */
  private final class Way extends ForwardingCluster {
    private final Core core;

    Way(Core core) {
      super(api);
      this.core = core;
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      core.charge(REQUEST);
      return later()
          .thenCompose(_ -> sending.get())
          .thenCompose(answer -> later().thenApply(_ -> answer));
    }

    private CompletableFuture<@Nullable Void> later() {
      CompletableFuture<@Nullable Void> later = new CompletableFuture<>();
      world.time.after(ONE_WAY, () -> later.complete(null));
      return later;
    }

    @Override
    public Watch watch(
        Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
      return api.watch(
          kind,
          namespace,
          afterRevision,
          new WatchHandler() {
            @Override
            public void onEvent(WatchEvent event) {
              onEvents(List.of(event));
            }

            @Override
            public void onEvents(List<WatchEvent> batch) {
              world.time.after(
                  ONE_WAY,
                  () ->
                      core.execute(() -> {
                        core.charge(EVENT.multipliedBy(batch.size()));
                        handler.onEvents(batch);
                      }));
            }

            @Override
            public void onClosed(@Nullable ClusterException cause) {
              handler.onClosed(cause);
            }
          });
    }
  }

  private void replica(int number, int replicas, int perSecond) {
    Core core = new Core();
    Cluster way = new Way(core);
    EventLoop loop = new EventLoop(core, world.time, world.time, new Random(number));
    RetryingCluster.Options usual = RetryingCluster.Options.DEFAULT;
    RetryingCluster limits =
        new RetryingCluster(
            way,
            new RetryingCluster.Options(
                perSecond, usual.burst(), usual.mostAtOnce(), usual.tries(), usual.backoff()),
            world.time,
            world.time,
            new Random(number));
    JobController jobs =
        new JobController(limits, SHARDS, loop, Metrics.NONE, JobControllerOptions.DEFAULT);
    ShardWorker worker = new ShardWorker(way, limits, new Term(), jobs, _ -> List.of(), loop);
    for (int shard = number; shard < SHARDS.count(); shard += replicas) {
      worker.onTaken(shard, new Term());
    }
  }

  /** Returns how long all Jobs take. */
  private Duration run(int replicas, int perSecond) {
    for (int i = 0; i < replicas; i++) {
      replica(i, replicas, perSecond);
    }
    world.pass(Duration.ofSeconds(1));
    Instant start = world.now();
    String spec = "'completionMode':'Indexed','completions':" + PODS + ",'parallelism':" + PODS;
    for (int i = 0; i < JOBS; i++) {
      api.create(JobBuilder.named("j" + i).spec(spec).command("w").build());
    }
    while (!haveEnded()) {
      world.pass(Duration.ofMillis(100));
      assertThat(world.now()).isBefore(start.plus(Duration.ofMinutes(5)));
    }
    return Duration.between(start, world.now());
  }

  private boolean haveEnded() {
    List<KubeObject> jobs = world.answer(api.list(Kind.JOB, null)).items();
    return jobs.size() == JOBS
        && jobs.stream().allMatch(job -> Json.text(job.status(), "completionTime") != null);
  }

  @ParameterizedTest
  @CsvSource({"500"})
  void threeReplicasDoMoreThanTwiceWhatOneDoes(int perSecond) throws StoreException {
    Duration one = new ShardThroughputTest().run(1, perSecond);
    Duration three = run(3, perSecond);
    double ratio = one.toMillis() / (double) three.toMillis();
    System.out.printf(
        "%d pods, %s: %.1f s with one replica, %.1f s with three, so %.2f times as many a second%n",
        JOBS * PODS,
        perSecond == 0 ? "no limit of requests" : perSecond + " requests a second each",
        one.toMillis() / 1000.0,
        three.toMillis() / 1000.0,
        ratio);
    assertThat(ratio).isGreaterThan(2.2);
  }
}
