package dev.stint.bench;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchHandler;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Measures the heap that a Job controller for another cluster keeps per pod of an Indexed Job. Pods
 * of some 4 kB arrive in pages of 500, as an API sends them.
 *
 * <pre>
 * java -cp bench/target/stint-bench.jar dev.stint.bench.InformerHeap [PODS]
 * </pre>
 */
public final class InformerHeap implements Cluster {
  private static final int PAGE = 500;
  private static final int REVISION = 10_000_000;
  private static final String JOB_UID = "6a0a7e9e-3a55-4a25-9d0b-6c7a4d1f0000";

  private final int count;
  private final CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();
  private int revision = REVISION;

  private InformerHeap(int count) {
    this.count = count;
  }

  /** Prints the bytes per pod. */
  public static void main(String[] args) throws Exception {
    int pods = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    System.out.printf("%,d pods: %,d bytes of heap each%n", pods, perPod(pods));
  }

  /** Returns the bytes per pod beyond those that the controller needs for a single pod. */
  static long perPod(int pods) throws Exception {
    measure(PAGE); // Loads the classes.
    return (measure(pods) - measure(1)) / pods;
  }

  private static long measure(int pods) throws Exception {
    long before = HeapInUse.bytes();
    InformerHeap cluster = new InformerHeap(pods);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Executor loop =
          task -> {
            if (!thread.isShutdown()) {
              thread.execute(task);
            }
          };
      JobController controller =
          new JobController(
              cluster,
              new EventLoop(loop, InstantSource.system(), (_, _) -> () -> {}, new Random(1)),
              Metrics.NONE,
              JobControllerOptions.DEFAULT);
      controller.start();
      cluster.settled.get(5, TimeUnit.MINUTES);
      CompletableFuture.runAsync(() -> {}, loop).get(1, TimeUnit.MINUTES);
      long after = HeapInUse.bytes();
      controller.close();
      CompletableFuture.runAsync(() -> {}, loop).get(1, TimeUnit.MINUTES);
      return after - before;
    }
  }

  private KubeObject job() {
    ObjectNode job =
        Json.parse(
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j","namespace":"default",
             "uid":"%s","resourceVersion":"1","generation":1},
             "spec":{"completionMode":"Indexed","completions":%d,"parallelism":%d,
              "backoffLimit":6,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"%s"}},
              "template":{"spec":{"restartPolicy":"Never",
               "containers":[{"name":"main","image":"busybox"}]}}}}
            """
                .formatted(JOB_UID, count, count, JOB_UID));
    return KubeObject.of(job);
  }

  private static KubeObject pod(int index) {
    String text =
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"j-%1$d-x%1$d","generateName":"j-%1$d-",
         "namespace":"default","uid":"00000000-0000-4000-8000-%1$012d","resourceVersion":"%2$d",
         "creationTimestamp":"2026-01-31T12:00:00Z","finalizers":["batch.kubernetes.io/job-tracking"],
         "labels":{"batch.kubernetes.io/controller-uid":"%3$s","controller-uid":"%3$s",
          "batch.kubernetes.io/job-name":"j","job-name":"j",
          "batch.kubernetes.io/job-completion-index":"%1$d"},
         "annotations":{"batch.kubernetes.io/job-completion-index":"%1$d"},
         "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"%3$s",
          "controller":true,"blockOwnerDeletion":true}],
         "managedFields":[%4$s]},
         "spec":{"nodeName":"node-7","restartPolicy":"Never","containers":[{"name":"main",
          "image":"busybox","env":[{"name":"JOB_COMPLETION_INDEX","valueFrom":{"fieldRef":
          {"apiVersion":"v1","fieldPath":"metadata.labels"}}}]}]},
         "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],
          "containerStatuses":[{"name":"main","restartCount":0,"ready":true}]}}
        """
            .formatted(index, index + 2, JOB_UID, managed());
    return KubeObject.of(Json.parse(text));
  }

  private static String managed() {
    String entry =
        "{\"manager\":\"kubelet\",\"operation\":\"Update\",\"fieldsV1\":{\"f:status\":{\"f:phase\":{}}}}";
    return String.join(",", List.of(entry, entry, entry, entry, entry));
  }

  private String next() {
    return Integer.toString(++revision);
  }

  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return CompletableFuture.supplyAsync(() -> pages(kind, each), Thread::startVirtualThread);
  }

  private String pages(Kind kind, Function<ObjectList, CompletableFuture<?>> each) {
    String now = Integer.toString(REVISION);
    if (kind.equals(Kind.JOB)) {
      each.apply(new ObjectList(List.of(job()), now)).join();
      return now;
    }
    for (int from = 0; from < count; from += PAGE) {
      List<KubeObject> page =
          IntStream.range(from, Math.min(from + PAGE, count)).mapToObj(InformerHeap::pod).toList();
      each.apply(new ObjectList(page, now)).join();
    }
    return now;
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    throw new UnsupportedOperationException("lists are requested in parts");
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    return () -> {};
  }

  /** The status counts all pods once all of them are known. */
  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    ObjectNode stored = object.copy();
    stored.withObjectProperty("metadata").put("resourceVersion", next());
    if (Integer.valueOf(count).equals(Json.integer(object.status(), "active"))) {
      settled.complete(null);
    }
    return CompletableFuture.completedFuture(KubeObject.of(stored));
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return CompletableFuture.completedFuture(object);
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return unexpected();
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return unexpected();
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return unexpected();
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return unexpected();
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return unexpected();
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return unexpected();
  }

  private static <T> CompletableFuture<T> unexpected() {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("not needed by the benchmark"));
  }
}
