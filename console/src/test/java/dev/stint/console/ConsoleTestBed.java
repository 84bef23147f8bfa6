package dev.stint.console;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.console.simulation.JobSimulator;
import dev.stint.console.simulation.Prediction;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.ObjectBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.log.LogTree;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** An API without controllers, and its console. */
final class ConsoleTestBed implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");

  final List<String> links = new ArrayList<>();
  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final ExecutorService disk = Executors.newSingleThreadExecutor();
  private final Store store;
  private final ApiServer api;
  private final LogTree logs;

  /** The answer to each request of the console; null for that of the API. */
  @Nullable ClusterException refusal;

  ConsoleTestBed(Path directory) {
    logs = new LogTree(directory);
    try {
      store = Store.open(new SimulatedEngine(), loop, disk, StoreOptions.defaults());
    } catch (StoreException fault) {
      throw new IllegalStateException(fault);
    }
    api =
        new ApiServer(
            store,
            loop,
            () -> NOW,
            new Random(1),
            FeatureGates.DEFAULT,
            ApiServer.Options.defaults());
  }

  Cluster cluster() {
    return api;
  }

  LogTree logs() {
    return logs;
  }

  ConsoleApp site(boolean readOnly) {
    ConsoleApp site = new ConsoleApp(options(logs, readOnly));
    site.open();
    return site;
  }

  /** Returns the options of a console that may change Jobs. */
  ConsoleOptions options(@Nullable LogTree tree) {
    return options(tree, false);
  }

  private ConsoleOptions options(@Nullable LogTree tree, boolean readOnly) {
    return new ConsoleOptions(
        "a test",
        new MaybeRefusing(),
        tree,
        (namespace, job) -> new LogSource.Local(logs, namespace, job),
        readOnly,
        true,
        () -> NOW,
        (_, _) -> () -> {},
        () -> new SplittableRandom(1),
        new FixedSimulator(),
        links::add);
  }

  /** The cluster of the console. */
  private final class MaybeRefusing extends ForwardingCluster {
    MaybeRefusing() {
      super(api);
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      return refusal == null ? sending.get() : CompletableFuture.failedFuture(refusal);
    }
  }

  /** Says how many attempts it was given. */
  private static final class FixedSimulator implements JobSimulator {
    @Override
    public String obstacle(KubeObject job) {
      return "";
    }

    @Override
    public Prediction simulate(
        KubeObject job, List<ContainerAttemptView> attempts, Runnable goesOn) {
      return new Prediction.None(job.name() + " has attempts: " + attempts.size());
    }

    @Override
    public String command(KubeObject job) {
      return "stint simulate FILE --like " + job.name();
    }
  }

  KubeObject create(ObjectBuilder<?> object) {
    return create(object.build());
  }

  KubeObject create(KubeObject object) {
    return ApiCalls.await(api.create(object));
  }

  KubeObject indexed(String name, int completions) {
    return create(
        JobBuilder.indexed(name)
            .completions(completions)
            .parallelism(2)
            .spec("'backoffLimitPerIndex':1"));
  }

  KubeObject status(KubeObject job, String status) {
    ObjectNode patch = Json.object();
    patch.set("status", Json.parse("{" + status + "}"));
    return ApiCalls.await(api.patchStatus(job.ref(), patch));
  }

  /** Creates a pod of a Job with the state that the status describes. */
  KubeObject pod(KubeObject job, int index, String name, String status) {
    PodBuilder pod = PodBuilder.named(name).ownedBy(job).index(index);
    return status(create(pod), status);
  }

  /** Changes an object's labels only. */
  void label(KubeObject object) {
    ApiCalls.await(
        api.patch(object.ref(), Json.parse("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")));
  }

  /** Deletes an object at once; those that it owns stay. */
  void delete(KubeObject object) {
    ApiCalls.await(api.delete(object.ref(), DeleteOptions.now(object.uid())));
  }

  KubeObject job(String name) {
    return ApiCalls.await(api.get(new ObjectRef(Kind.JOB, "default", name)));
  }

  /** Waits until all watches have reported what was written. */
  void settle() throws Exception {
    for (int i = 0; i < 3; i++) {
      loop.submit(() -> {}).get();
      disk.submit(() -> {}).get();
    }
  }

  @Override
  public void close() {
    store.close();
    loop.shutdownNow();
    disk.shutdownNow();
  }
}
