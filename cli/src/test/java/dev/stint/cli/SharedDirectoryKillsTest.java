package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Five {@code run}s at once, killed at random moments, holder and guests alike, and started again.
 * Takes longer than others, since each kill costs a start; {@code -Dstint.kills=200} asks for more.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class SharedDirectoryKillsTest {
  private static final int KILLS = Integer.getInteger("stint.kills", 4);
  private static final int RUNS = 5;
  private static final int COMPLETIONS = Math.max(12, KILLS * 3);
  private static final long INDEXES = (long) RUNS * COMPLETIONS;
  private static final int LONGEST_MILLIS = 1500;

  @TempDir private Path directory;
  private final long seed = Long.getLong("stint.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final StintProcess[] runs = new StintProcess[RUNS];
  private final List<Integer> holders = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (StintProcess run : runs) {
      if (run != null) {
        run.kill();
      }
    }
  }

  private Path job(int number) throws IOException {
    return Files.writeString(
        directory.resolve("k" + number + ".yaml"),
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: kNUMBER}
        spec:
          completions: COMPLETIONS
          parallelism: 3
          completionMode: Indexed
          backoffLimit: 0
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: unused
                command: [sh, -c, 'echo "begin NUMBER/$JOB_COMPLETION_INDEX" >> DIR/journal; sleep 0.3; echo "end NUMBER/$JOB_COMPLETION_INDEX" >> DIR/journal']
        """
            .replace("NUMBER", Integer.toString(number))
            .replace("COMPLETIONS", Integer.toString(COMPLETIONS))
            .replace("DIR", directory.toString()));
  }

  private void start(int number) throws IOException {
    runs[number] =
        StintProcess.start(
            directory, "run", job(number).toString(), "--data=" + directory.resolve("data"));
  }

  private boolean holds(StintProcess run) {
    try {
      return Files.readString(directory.resolve("data").resolve("lock"))
          .startsWith("pid " + run.pid() + ",");
    } catch (IOException notYet) {
      return false;
    }
  }

  @Test
  void nothingIsLostAndNothingBeginsTwice() throws Exception {
    for (int i = 0; i < RUNS; i++) {
      start(i);
    }
    int kills = 0;
    while (kills < KILLS && anyAlive()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_MILLIS)));
      int victim = random.nextInt(RUNS);
      if (isAtWork(runs[victim])) {
        holders.add(holds(runs[victim]) ? 1 : 0);
        runs[victim].kill();
        kills++;
        start(victim);
      }
    }
    for (int i = 0; i < RUNS; i++) {
      StintProcess run = runs[i];
      await().atMost(Duration.ofMinutes(20)).until(() -> !run.alive());
      assertThat(run.exitStatus()).as("seed %d, run %d: %s", seed, i, run.err()).isZero();
    }
    assertJournal(kills);
  }

  /** False once it has told the outcome: the same command would start the whole Job anew. */
  private static boolean isAtWork(StintProcess run) {
    return run.alive() && !run.err().contains(": Complete in");
  }

  private boolean anyAlive() {
    for (StintProcess run : runs) {
      if (run.alive()) {
        return true;
      }
    }
    return false;
  }

  private void assertJournal(int kills) throws IOException {
    List<String> journal = Files.readAllLines(directory.resolve("journal"));
    Map<String, Long> times =
        journal.stream()
            .collect(Collectors.groupingBy(line -> line, TreeMap::new, Collectors.counting()));
    Map<String, Long> twice = new TreeMap<>(times);
    twice.values().removeIf(count -> count == 1);
    long begun = times.keySet().stream().filter(line -> line.startsWith("begin")).count();
    long ended = times.size() - begun;
    String figures =
        "seed %d: %d kills (%d of the holder), %d indexes, %d begun, %d ended, %d lost, more than once: %s"
            .formatted(
                seed,
                kills,
                holders.stream().mapToInt(Integer::intValue).sum(),
                INDEXES,
                begun,
                ended,
                INDEXES - ended,
                twice);
    System.out.println(figures);
    assertThat(ended).as(figures).isEqualTo(INDEXES);
    assertThat(begun).as(figures).isEqualTo(INDEXES);
    assertThat(twice).as(figures).isEmpty();
  }
}
