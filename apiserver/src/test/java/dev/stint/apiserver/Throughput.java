package dev.stint.apiserver;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.StorageEngine;
import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.RocksEngine;
import dev.stint.store.engine.SimulatedEngine;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Measures the API requests for a Job's pods: creation, patches to Running and Succeeded, and
 * removal of the finalizer, with one watcher. Run by hand: {@code Throughput PODS [DIR]}.
 */
final class Throughput {
  private static final int IN_FLIGHT = 1024;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ApiServer api;
  private final int pods;

  private Throughput(ApiServer api, int pods) {
    this.api = api;
    this.pods = pods;
  }

  public static void main(String[] args) throws Exception {
    for (int round = 0; round < 3; round++) {
      StorageEngine engine =
          args.length > 1
              ? RocksEngine.open(Files.createTempDirectory(Path.of(args[1]), "throughput"))
              : new SimulatedEngine();
      run(engine, Integer.parseInt(args[0]));
    }
  }

  private static void run(StorageEngine engine, int pods) throws Exception {
    try (ExecutorService loop = Executors.newSingleThreadExecutor();
        ExecutorService delivery = Executors.newSingleThreadExecutor();
        Store store = Store.open(engine, loop, StoreOptions.defaults())) {
      ApiServer api =
          new ApiServer(
              store,
              delivery,
              InstantSource.system(),
              new SecureRandom(),
              FeatureGates.DEFAULT,
              ApiServer.Options.defaults().withNode("here"));
      Watch watch = api.watch(Kind.POD, null, "1", new Reader());
      new Throughput(api, pods).phases();
      watch.close();
    }
  }

  /** Reads each object as a controller does, and discards it. */
  private static final class Reader implements WatchHandler {
    private int named;

    @Override
    public void onEvent(WatchEvent event) {
      named += event.object().uid().length();
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      System.out.println("the watch ended after " + named + ": " + cause);
    }
  }

  private void phases() throws InterruptedException {
    long start = System.nanoTime();
    phase("create", i -> api.create(KubeObject.of(pod(i))));
    phase("running", i -> api.patchStatus(World.pod("pi-" + i), status("Running")));
    phase("succeeded", i -> api.patchStatus(World.pod("pi-" + i), status("Succeeded")));
    phase(
        "untrack",
        i -> api.patch(World.pod("pi-" + i), World.tree("{'metadata': {'finalizers': null}}")));
    System.out.printf("all %d pods: %.2f s%n", pods, (System.nanoTime() - start) / 1e9);
  }

  private void phase(String name, IntFunction<CompletableFuture<KubeObject>> request)
      throws InterruptedException {
    Semaphore slots = new Semaphore(IN_FLIGHT);
    long start = System.nanoTime();
    long cpu = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < pods; i++) {
      slots.acquire();
      request
          .apply(i)
          .whenComplete((_, failure) -> {
            slots.release();
            if (failure != null) {
              failure.printStackTrace();
            }
          });
    }
    slots.acquire(IN_FLIGHT);
    double seconds = (System.nanoTime() - start) / 1e9;
    double own = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e3;
    System.out.printf("%-10s %8.0f/s, caller %.1f us CPU%n", name, pods / seconds, own / pods);
  }

  private static ObjectNode status(String phase) {
    return World.tree(
        """
        {'status': {'phase': '%s', 'startTime': '2026-01-31T12:00:00Z', 'conditions': [
        {'type': 'Ready', 'status': 'False', 'lastTransitionTime': '2026-01-31T12:00:00Z'}],
        'containerStatuses': [{'name': 'main', 'ready': false, 'restartCount': 0, 'state':
        {'terminated': {'exitCode': 0, 'reason': 'Completed'}}}]}}
        """
            .formatted(phase));
  }

  private static ObjectNode pod(int index) {
    return World.tree(
        """
        {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'pi-%d',
        'generateName': 'pi-', 'namespace': 'default',
        'labels': {'batch.kubernetes.io/job-name': 'pi', 'job-name': 'pi',
        'batch.kubernetes.io/controller-uid': '4a384dc4-a9a1-41ce-8577-cfde4e11a4ae',
        'controller-uid': '4a384dc4-a9a1-41ce-8577-cfde4e11a4ae',
        'batch.kubernetes.io/job-completion-index': '%d'},
        'annotations': {'batch.kubernetes.io/job-completion-index': '%d'},
        'finalizers': ['batch.kubernetes.io/job-tracking'],
        'ownerReferences': [{'apiVersion': 'batch/v1', 'kind': 'Job', 'name': 'pi',
        'uid': '4a384dc4-a9a1-41ce-8577-cfde4e11a4ae', 'controller': true,
        'blockOwnerDeletion': true}]}, 'spec': {'restartPolicy': 'Never', 'hostname': 'pi-%d',
        'terminationGracePeriodSeconds': 30, 'dnsPolicy': 'ClusterFirst', 'securityContext': {},
        'schedulerName': 'default-scheduler', 'containers': [{'name': 'main', 'image': 'busybox',
        'command': ['sh', '-c', 'exit 0'], 'resources': {'requests': {'cpu': '10m'}},
        'env': [{'name': 'JOB_COMPLETION_INDEX', 'value': '%d'}],
        'terminationMessagePath': '/dev/termination-log', 'terminationMessagePolicy': 'File',
        'imagePullPolicy': 'Always'}]}}
        """
            .formatted(index, index, index, index, index));
  }
}
