package dev.stint.bench;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.engine.RocksEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures the fairness between Jobs: the time from the end of a small Job's pod until the Job's
 * status shows it, with and without a huge Job. Small Jobs have one pod each, and four run at a
 * time.
 *
 * <pre>
 * java -cp bench/target/stint-bench.jar dev.stint.bench.FairnessBenchmark [INDEXES] [SMALL_JOBS]
 * </pre>
 */
public final class FairnessBenchmark {
  private static final String HUGE = "huge";
  private static final int AT_A_TIME = 4;

  private final Map<String, Long> ended = new ConcurrentHashMap<>();
  private final Semaphore places = new Semaphore(AT_A_TIME);
  private final CompletableFuture<@Nullable Void> hugeDone = new CompletableFuture<>();
  private final long[] nanos;
  private final AtomicInteger measured = new AtomicInteger();

  private FairnessBenchmark(int smallJobs) {
    this.nanos = new long[smallJobs];
  }

  /** Prints the percentiles without the huge Job, and then with it. */
  public static void main(String[] args) throws Exception {
    int indexes = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    int smallJobs = args.length > 1 ? Integer.parseInt(args[1]) : 2_000;
    for (int huge : new int[] {0, indexes}) {
      System.out.println(new FairnessBenchmark(smallJobs).run(huge));
    }
  }

  private String run(int indexes) throws Exception {
    Path data = Files.createTempDirectory("stint-fairness");
    try (ControlPlane plane =
        new ControlPlane(RocksEngine.open(data), ControlPlaneOptions.DEFAULT)) {
      plane.start(runtime(plane)).get();
      Cluster cluster = plane.cluster();
      cluster.watch(
          Kind.JOB, null, cluster.list(Kind.JOB, null).get().resourceVersion(), new Watcher());
      if (indexes > 0) {
        cluster.create(job(HUGE, indexes, 1_000)).get();
      }
      for (int i = 0; i < nanos.length; i++) {
        places.acquire();
        cluster.create(job("small-" + i, 1, 1)).get();
      }
      places.acquire(AT_A_TIME);
      return "%d small Jobs next to %d indexes%s: p50 %.1f ms, p99 %.1f ms, max %.1f ms"
          .formatted(
              nanos.length,
              indexes,
              indexes > 0 && !hugeDone.isDone() ? " (still running)" : "",
              percentile(50),
              percentile(99),
              percentile(100));
    } finally {
      try (var files = Files.walk(data)) {
        files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  private double percentile(int percent) {
    long[] sorted = LongStream.of(nanos).sorted().toArray();
    return sorted[(int) Math.ceil(percent / 100.0 * sorted.length) - 1] / 1e6;
  }

  private SimulatedRuntime runtime(ControlPlane plane) {
    return new SimulatedRuntime(
        (pod, _) -> {
          String name = pod.name();
          String job = name.substring(0, name.lastIndexOf('-', name.lastIndexOf('-') - 1));
          if (!job.equals(HUGE)) {
            ended.put(job, System.nanoTime());
          }
          return new SimulatedRuntime.Outcome(Duration.ZERO, 0);
        },
        new Random(1),
        plane.clock(),
        plane.timers());
  }

  private static KubeObject job(String name, int indexes, int parallelism) {
    String template =
        "'template':{'spec':{'restartPolicy':'Never','containers':"
            + "[{'name':'main','image':'none','command':['true']}]}}";
    String text =
        String.join(
            "",
            "{'apiVersion':'batch/v1','kind':'Job','metadata':{'namespace':'default','name':'",
            name,
            "'},'spec':{'completionMode':'Indexed','completions':",
            Integer.toString(indexes),
            ",'parallelism':",
            Integer.toString(Math.min(indexes, parallelism)),
            ",",
            template,
            "}}");
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }

  private final class Watcher implements WatchHandler {
    @Override
    public void onEvent(WatchEvent event) {
      String name = event.object().name();
      JobStatus status = JobStatus.read(event.object().status());
      if (name.equals(HUGE)) {
        if (status.isFinished()) {
          hugeDone.complete(null);
        }
        return;
      }
      Long since = status.completedIndexes().isEmpty() ? null : ended.remove(name);
      if (since != null) {
        nanos[measured.getAndIncrement()] = System.nanoTime() - since;
        places.release();
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      if (cause != null) {
        System.err.println("the watch ended: " + cause.getMessage());
        Arrays.fill(nanos, Long.MAX_VALUE);
        places.release(AT_A_TIME);
      }
    }
  }
}
