package dev.stint.embedded.benchmark;

import java.io.IOException;
import java.util.OptionalDouble;

/**
 * Measures how fast {@code xargs} runs commands on this machine: an upper bound, since it keeps no
 * account of them. The speed of a machine drifts, so half of the commands run before the benchmark,
 * and half after it.
 */
final class Xargs {
  private final long half;
  private final int parallelism;
  private double seconds;
  private boolean failed;

  /**
   * Creates the measurement.
   *
   * @param commands the number to run in all, {@code parallelism} at a time
   */
  Xargs(long commands, int parallelism) {
    this.half = Math.ceilDiv(commands, 2);
    this.parallelism = parallelism;
  }

  /** Blocks until half of the commands have run. */
  void runHalf() throws IOException, InterruptedException {
    String line = "seq %d | xargs -P %d -n 1 true".formatted(half, parallelism);
    long start = System.nanoTime();
    int status =
        new ProcessBuilder("/bin/sh", "-c", line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    seconds += (System.nanoTime() - start) / 1e9;
    failed |= status != 0;
  }

  /** Returns commands per second, once both halves have run; empty if there is no such program. */
  OptionalDouble perSecond() {
    return failed ? OptionalDouble.empty() : OptionalDouble.of(2 * half / seconds);
  }
}
