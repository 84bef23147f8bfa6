package dev.stint.bench.kills;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Kills of starts. A start is killed at a random moment of its recovery, several times in a row:
 * from the moment at which it holds the data directory until it tells that it is ready.
 */
final class StartKills {
  private static final int POLL_MILLIS = 2;

  /** One of so many is killed at any moment of its start, also before it holds the directory. */
  private static final int ANY_MOMENT = 5;

  private static final int SHORTEST_MILLIS = 20;
  private static final int LONGEST_MILLIS = 20_000;

  /** How much longer the next one may take than one that was killed too early to know. */
  private static final double GROWTH = 1.3;

  private final Path lock;
  private final Path output;
  private final String ready;
  private final int mostInRow;
  private final RandomGenerator random;
  private int left;
  private Instant started = Instant.EPOCH;
  private long printed;
  private double recoveryMillis = 300;
  private int inRecovery;
  private int earlier;

  /**
   * @param lock a file that each process writes once it holds the data directory
   * @param output what the processes print
   * @param ready what a process prints when it is ready
   * @param mostInRow how many starts are killed one after the other at most
   */
  StartKills(Path lock, Path output, String ready, int mostInRow, RandomGenerator random) {
    this.lock = lock;
    this.output = output;
    this.ready = ready;
    this.mostInRow = mostInRow;
    this.random = random;
    drawRow();
  }

  private void drawRow() {
    left = random.nextInt(mostInRow + 1);
  }

  /** True if the next start is to be killed. */
  boolean isNext() {
    return left > 0;
  }

  /** How many starts were killed that held the directory, and had not told that they are ready. */
  int inRecovery() {
    return inRecovery;
  }

  /** How many starts were killed before they held the directory. */
  int earlier() {
    return earlier;
  }

  void onStart() throws IOException {
    started = Instant.now();
    printed = Files.exists(output) ? Files.size(output) : 0;
  }

  /** Waits up to a random moment of the start. Returns false if the command has ended by itself. */
  boolean letStart(Machine.Command command) throws IOException, InterruptedException {
    if (random.nextInt(ANY_MOMENT) == 0) {
      return !command.endsWithin(Duration.ofMillis(random.nextInt((int) recoveryMillis + 1)));
    }
    long end = System.nanoTime() + Duration.ofMillis(LONGEST_MILLIS).toNanos();
    while (!isHeld() && command.isAlive() && System.nanoTime() < end) {
      Thread.sleep(POLL_MILLIS);
    }
    long held = System.nanoTime();
    double delay = random.nextDouble(recoveryMillis);
    double readyAt = Double.POSITIVE_INFINITY;
    double waited = 0;
    while (waited < delay && command.isAlive()) {
      Thread.sleep(POLL_MILLIS);
      waited = (System.nanoTime() - held) / 1e6;
      if (isReady()) {
        readyAt = Math.min(readyAt, waited);
      }
    }
    recoveryMillis =
        Math.clamp(
            isReady() ? Math.min(readyAt, recoveryMillis) : recoveryMillis * GROWTH,
            SHORTEST_MILLIS,
            LONGEST_MILLIS);
    return command.isAlive();
  }

  /** Counts a kill, once nothing is printed any more. */
  void onKill() throws IOException {
    if (left == 0) {
      drawRow();
      return;
    }
    left--;
    if (!isReady() && isHeld()) {
      inRecovery++;
    } else if (!isReady()) {
      earlier++;
    }
  }

  private boolean isHeld() throws IOException {
    return Files.exists(lock) && !Files.getLastModifiedTime(lock).toInstant().isBefore(started);
  }

  private boolean isReady() throws IOException {
    return Files.exists(output) && new String(tail(), StandardCharsets.UTF_8).contains(ready);
  }

  private byte[] tail() throws IOException {
    byte[] all = Files.readAllBytes(output);
    return Arrays.copyOfRange(all, (int) printed, all.length);
  }
}
