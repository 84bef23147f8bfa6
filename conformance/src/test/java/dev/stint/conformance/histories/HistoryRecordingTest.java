package dev.stint.conformance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.embedded.ThreadTimers;
import dev.stint.kube.KubeCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Records histories on a Kubernetes API server with its Job controller; {@code
 * conformance/record-histories} starts both. {@code -Dhistories=1-5000} or {@code 17,18} says which
 * ones; they replace those with the same numbers.
 */
@EnabledIfSystemProperty(named = "histories.kubeconfig", matches = ".+")
class HistoryRecordingTest {
  /** So that Jobs are not created together, and do not all take their steps together. */
  private static final Duration BETWEEN_STARTS = Duration.ofMillis(60);

  @Test
  void historiesAreRecorded() throws Exception {
    SortedMap<Integer, JobHistory> all =
        Files.exists(HistoryFile.PATH) ? HistoryFile.read() : new TreeMap<>();
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster cluster =
            KubeCluster.of(Path.of(System.getProperty("histories.kubeconfig")), null, timers)) {
      for (JobHistory recorded : record(new RealWorld(cluster))) {
        all.put(recorded.id(), recorded);
      }
    }
    HistoryFile.write(all.values());
    assertThat(all).isNotEmpty();
  }

  private static List<JobHistory> record(RealWorld world) throws Exception {
    Semaphore room = new Semaphore(Integer.getInteger("histories.atOnce", 400));
    List<Future<@Nullable JobHistory>> takes = new ArrayList<>();
    List<JobHistory> recorded = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int id : ids(System.getProperty("histories", "1-5000"))) {
        room.acquire();
        world.awaitReadiness();
        RealWorld.sleep(BETWEEN_STARTS);
        takes.add(threads.submit(() -> recorded(world, id, room)));
      }
      for (Future<@Nullable JobHistory> take : takes) {
        JobHistory history = take.get();
        if (history != null) {
          recorded.add(history);
        }
      }
    }
    return recorded;
  }

  /** Returns null if a request fails, such as one about a pod that has just gone. */
  private static @Nullable JobHistory recorded(RealWorld world, int id, Semaphore room) {
    try {
      return new HistoryRecorder(world, id).record();
    } catch (RuntimeException failed) {
      System.err.println("history " + id + " is left out: " + failed);
      return null;
    } finally {
      world.forget("job-" + id);
      room.release();
    }
  }

  private static List<Integer> ids(String text) {
    String[] ends = text.split("-");
    return ends.length == 2
        ? IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]))
            .boxed()
            .toList()
        : Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
  }
}
